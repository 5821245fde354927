const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\p{Extended_Pictographic}]/u;

/** Returns the width of a text in Latin letters; a Chinese or Japanese character counts as two. */
export function widthOf(text: string): number {
  return Array.from(text).reduce((width, character) => width + (WIDE.test(character) ? 2 : 1), 0);
}
