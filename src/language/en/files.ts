import { plural } from '../plural.ts';
import type { Terms } from '../terms.ts';
import type { Translated } from '../translated.ts';

const form = plural('en-US');

function errorsOf(errors: string, n: number): string {
  return `${errors} ${form(n, { one: 'error', other: 'errors' })}`;
}

/**
 * Exported and imported files: answers and faults. A figure is a formatted number; `n` is the same
 * number for its plural.
 */
export const files = ({ names, slash }: Terms) => ({
  export: {
    nothing: 'No wallets watched yet, so there’s nothing to export.',
    done: (watches: string, n: number) =>
      `${watches} watched ${form(n, { one: 'wallet', other: 'wallets' })}. ` +
      `Import the file with ${slash.import}, here or in another server.`,
  },
  import: {
    notYours:
      'Only the person who sent the file can decide this, ' +
      `and only with access to \`/${names.commands.watch}\`.`,
    /** Numbers of watches that the file would add, change and leave unchanged. */
    counted: (added: string, changed: string, same: string) =>
      `${added} new, ${changed} changed, ${same} the same`,
    faultsTitle: (errors: string, n: number) => `${errorsOf(errors, n)}: nothing changed`,
    /** @param counted see above */
    faults: (counted: string, errors: string, n: number) =>
      `${counted}, **${errorsOf(errors, n)}**. ` +
      'A file is imported whole or not at all: correct it, then send it again.',
    more: (left: string) => `… and ${left} more`,
    nothingToDo: 'Nothing to change: everything is already as in the file.',
    ask:
      'Nothing has changed yet. Apply within an hour, or cancel. ' +
      'Wallets that aren’t in the file stay as they are.',
    /** Replaces `ask` for typed wallets. */
    askTyped: 'Nothing has changed yet. Apply within an hour, or cancel.',
    nothingToAdd: 'Nothing to change: all of them are watched there already.',
    apply: 'Apply',
    cancel: 'Cancel',
    /** @param watch its label and its address */
    added: (watch: string, channel: string) => `new: ${watch} in ${channel}`,
    /** @param columns with different values, by their names in the file */
    changed: (watch: string, channel: string, columns: string) =>
      `changed (${columns}): ${watch} in ${channel}`,
    /** For a label that cannot be shown. */
    noName: 'no name',
    cancelledTitle: 'Cancelled',
    appliedTitle: (added: string, changed: string) => `Applied: ${added} new, ${changed} changed`,
    applied: `You’ll get alerts for the new wallets from now on. ${slash.list} shows them all.`,
    busy: 'Another import is running here. Try again in a minute.',
    brokenOff: 'This import was interrupted. Press Apply again to finish it.',
    leftAsTheyAre: (count: string) =>
      `Changed by someone else in the meantime, so left as they are: ${count}.`,
    overtaken:
      'The watched wallets have changed since this preview. ' +
      'Nothing was imported: send the file again.',
    over:
      'This import has ended: it was applied, cancelled, replaced, or expired after an hour. ' +
      `${slash.list} shows what is watched.`,
  },
  places: {
    file: 'The file',
    line: (line: number) => `Line ${line}`,
    /** A part of a JSON list. */
    entry: (entry: number) => `Entry ${entry}`,
    /** @param fault one of `faults` */
    before: (place: string, fault: string) => `**${place}**: ${fault}`,
  },
  /**
   * Faults, each after its place and a colon: `Line 3: has 11 cells.` Columns have the file's
   * names. Its contents are between backticks, and values to type (`yes`, `["one","two"]`) are the
   * same in every language.
   */
  faults: {
    notUtf8: 'isn’t UTF-8 text. Use CSV or JSON, saved as UTF-8.',
    empty: 'has no wallets. Use one per line.',
    /** @param isOpenQuote true if a quote is not closed; else a quote is where none can be */
    noCsv: (isOpenQuote: boolean) =>
      `isn’t valid CSV: ${isOpenQuote ? 'a quote isn’t closed' : 'there’s a quote where none can be'}.`,
    /** @param why the parser's English message, between backticks */
    noJson: (why: string) => `isn’t valid JSON: ${why}.`,
    notList: 'is JSON, but isn’t a list. Use a list of addresses or entries.',
    notEntry:
      'is neither an address nor an object with a wallet. Use `"0x…"` or `{"wallet": "0x…"}`.',
    noColumn: (column: string, columns: string) => `has no column ${column}. Use ${columns}.`,
    unknownColumn: (column: string, columns: string) =>
      `has an unknown column ${column}. Use ${columns}.`,
    columnTwice: (column: string) => `has the column ${column} twice. Keep one.`,
    unknownKey: (key: string, columns: string) => `has an unknown key ${key}. Use ${columns}.`,
    keyTwice: (key: string) => `has the key ${key} twice. Keep one.`,
    object: (key: string) => `${key} is an object. Use a text, a number, or a list of them.`,
    list: (key: string) => `${key} is a list. Use one text or number.`,
    cells: (cells: number, accepted: number) =>
      `has ${cells} ${form(cells, { one: 'cell', other: 'cells' })}. ` +
      `Expected ${accepted}, as in the first line.`,
    tooManyNames: (names: number, columns: string) => `has ${names} names. Use ${columns}.`,
    tooMuch: (accepted: number) =>
      `is too long. Use up to ${accepted} entries; split it into two files.`,
    tooLong: (column: string, characters: number) =>
      `${column} is too long. Use up to ${characters} characters.`,
    /** @param place `Line 3`, with the same watch */
    repeated: (place: string) => `repeats the wallet and channel of ${place}. Keep one.`,
    noWallet: 'wallet is missing. Use 0x followed by 40 hex digits.',
    /** Two columns. */
    bothListed: (only: string, except: string) =>
      `${only} and ${except} are both filled in. Use only one of them.`,
    tooManyListed: (column: string, listed: number, accepted: number) =>
      `${column} lists ${listed}. Use up to ${accepted}.`,
    bandReversed: (min: number, max: number) =>
      `minPriceCents ${min} is above maxPriceCents ${max}. Swap them.`,
    noChannel: (given: string) =>
      `channel is ${given}. Use a channel of this server, by name or id; open an archived thread first.`,
    manyChannels: (given: string) =>
      `channel is ${given}. More than one has this name: use its id.`,
    noRole: (given: string) => `mentionRole is ${given}. Use a role of this server, by name or id.`,
    manyRoles: (given: string) =>
      `mentionRole is ${given}. More than one has this name: use its id.`,
    /** @param accepted one of the phrases of `accepted` */
    value: (column: string, given: string, accepted: string) =>
      `${column} is ${given}. Use ${accepted}.`,
  },
  accepted: {
    usdc: 'USDC from 0, such as 100 or 0.5',
    cents: 'cents from 0 to 100, such as 5 or 99.5',
    seconds: (max: number) => `whole seconds from 0 to ${max}`,
    /** @param tokens accepted values: `maker`, `taker` */
    oneOf: (tokens: readonly string[]) => `${tokens.join(' or ')}, or nothing`,
    kinds: (tokens: string) => `${tokens}, or nothing for all but other`,
    label: (max: number, length: number) => `up to ${max} characters, this has ${length}`,
    words: (max: number) => `words or phrases of up to ${max} characters, with a letter or a digit`,
    marketNames: (max: number) => `ids or slugs of up to ${max} characters`,
    paused: 'yes, no, or until when, such as 2026-11-30T18:00:00Z',
    /** @param sign `#` of a channel, `@` of a role */
    unspoiltId: (sign: string) =>
      `${sign}name, an id, or a mention: this id was cut by a spreadsheet`,
    names: 'names with spaces between them, or a list such as `["one","two"]`',
  },
});
export type FileWords = Translated<ReturnType<typeof files>>;
