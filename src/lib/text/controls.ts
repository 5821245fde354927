/**
 * Replaces what moves a terminal's cursor, breaks its lines, or changes the order in which it shows
 * a line: control and format characters, and the separators of lines and paragraphs.
 */
export function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
