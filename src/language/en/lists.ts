/** `/activity` and `/flows`: lists, filters, totals and the wallet card. */
export const lists = {};
export type ListWords = typeof lists;
