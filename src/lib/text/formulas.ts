/**
 * A spreadsheet takes a cell that begins with one of these for a formula, and somebody else's text
 * must not become one (https://owasp.org/www-community/attacks/CSV_Injection); the wide ones stand
 * for the others in Asian fonts. One that reads the file by another separator sees other cells:
 * what follows any of the usual separators counts as a beginning too. At the beginning of a cell
 * blanks do not help.
 */
const UNGUARDED = /(?<=[,;|\t\r\n"])(?='*[=+\-@\t\r\n＝＋－＠])|^(?=[\s']*[=+\-@\t\r\n＝＋－＠])/g;
const GUARDED = /(?<=[,;|\t\r\n"])'(?='*[=+\-@\t\r\n＝＋－＠])|^'(?=[\s']*[=+\-@\t\r\n＝＋－＠])/g;

/**
 * The cell with an apostrophe before what might be taken for a formula. `unescapeFormulas` is its
 * exact inverse.
 */
export function escapeFormulas(cell: string): string {
  return cell.replace(UNGUARDED, "'");
}

export function unescapeFormulas(cell: string): string {
  return cell.replace(GUARDED, '');
}
