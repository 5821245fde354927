/** What stands beside figures. */
export const figures = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  /** A figure that is none. */
  unknown: 'unknown',
  shares: (figure: string, isOne: boolean) => `${figure} ${isOne ? 'share' : 'shares'}`,
};
export type FigureWords = typeof figures;
