/** What a person is told when something cannot be done. */
export const errors = {};
export type ErrorWords = typeof errors;
