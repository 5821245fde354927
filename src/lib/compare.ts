/** Orders texts by their UTF-16 units: alike on every machine. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
