/** Orders texts by their UTF-16 units: alike on every machine. */
export function compare(a: string, b: string): number {
  if (a < b) return -1;
  return Number(a > b);
}
