/**
 * Places where an apostrophe is needed. A spreadsheet treats a cell that begins with one of these
 * characters as a formula, and texts of other people must not become one
 * (https://owasp.org/www-community/attacks/CSV_Injection); the wide ones are their variants in
 * Asian fonts. A program that uses another separator sees other cells, so the position after any
 * common separator counts as a beginning too. Leading blanks do not protect a cell.
 */
const UNGUARDED = /(?<=[,;|\t\r\n"])(?='*[=+\-@\t\r\n＝＋－＠])|^(?=[\s']*[=+\-@\t\r\n＝＋－＠])/g;
const GUARDED = /(?<=[,;|\t\r\n"])'(?='*[=+\-@\t\r\n＝＋－＠])|^'(?=[\s']*[=+\-@\t\r\n＝＋－＠])/g;

/**
 * Prefixes everything that could be read as a formula with an apostrophe. `unescapeFormulas` is the
 * exact inverse.
 */
export function escapeFormulas(cell: string): string {
  return cell.replace(UNGUARDED, "'");
}

export function unescapeFormulas(cell: string): string {
  return cell.replace(GUARDED, '');
}
