/**
 * Replaces control and format characters and separators of lines and paragraphs, which could move a
 * terminal's cursor, break lines, or reorder them.
 */
export function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
