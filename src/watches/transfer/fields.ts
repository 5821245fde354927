import {
  checksummed,
  type FoundAddress,
  findAddress,
  type WalletAddress,
} from '../../domain/address.ts';
import { inlineCode } from '../../embeds/text/escape.ts';
import type { LocalizedText } from '../../language/language.ts';
import { UserError } from '../../language/user-error.ts';
import {
  type Cells,
  type CellValue,
  cellsOf,
  type FieldText,
  type NamedThing,
  type Names,
  prefixed,
} from '../settings/cells.ts';
import { LABEL_LIMIT, type Watch } from '../watch.ts';
import { SETTING_NAMES, settingOf, type WatchSettings } from '../watch-settings.ts';

/** Columns of CSV and keys of JSON. Only `wallet` is required. */
export const FIELDS = [
  'wallet',
  'label',
  'channel',
  'channelName',
  ...SETTING_NAMES.flatMap((name) => Object.keys(settingOf(name).columns)),
  'paused',
];

/**
 * Maximum length of a column's text, or of its list joined by one character. Twenty long market
 * names fit.
 */
const FIELD_LIMIT = 8_000;

/** Maximum number of addresses quoted from a text that contains several. */
const NAMED = 5;
/** Maximum code points of a mistyped address that are shown; `findAddress` cuts it earlier. */
const TYPED_LIMIT = 64;

/**
 * A file's request for one watch. Fields that it does not mention stay as they are, or have the
 * defaults of a new watch.
 */
export interface Order {
  readonly channelId: string;
  readonly wallet: WalletAddress;
  readonly label?: string | null | undefined;
  readonly settings: Partial<WatchSettings>;
  readonly pause?: Watch['pause'] | undefined;
}

/**
 * A fault in a file with its place: `Line 3`, `The file`. The reason quotes the file's text as
 * code.
 */
export type FileFault = Readonly<Record<'place' | 'reason', LocalizedText>>;

/**
 * The orders of a file and its faults. If there are faults, `orders` has the lines without a fault.
 */
export interface ReadFile {
  readonly orders: readonly Order[];
  readonly faults: readonly FileFault[];
}

/**
 * Resolves the names in a file to ids. All methods throw a UserError for a name that they reject.
 */
export interface Places {
  /** @param named null if the file names no channel */
  channel(named: NamedThing | null): Promise<string>;
  /** Null if there are no roles. */
  role(named: NamedThing): string | null;
  /** Rejects a role that the file's sender may not mention. */
  requireMention(order: Order): void;
}

/** Writes the fields of a watch in the form that `readFields` reads. */
export function describeFields(watch: Watch, names: Names): Readonly<Record<string, CellValue>> {
  const { wallet, label, channelId, settings, pause } = watch;
  const described: Record<string, CellValue> = {};
  for (const name of SETTING_NAMES) {
    for (const [column, write] of Object.entries(settingOf(name).columns)) {
      described[column] = write(settings[name], names);
    }
  }
  return {
    wallet: checksummed(wallet),
    label,
    channel: names.hasChannels ? `<#${channelId}>` : null,
    channelName: names.hasChannels ? prefixed('#', names.channel(channelId)) : null,
    ...described,
    paused: pause && (pause.untilSeconds === null ? 'yes' : isoTime(pause.untilSeconds)),
  };
}

/** Reads the fields of one watch. Returns all faults if there are any. */
export async function readFields(
  place: LocalizedText,
  given: ReadonlyMap<string, FieldText>,
  places: Places,
): Promise<Order | FileFault[]> {
  for (const [field, value] of given) {
    if ([value].flat().join(' ').length <= FIELD_LIMIT) continue;
    return [{ place, reason: ({ texts }) => texts.files.faults.tooLong(field, FIELD_LIMIT) }];
  }
  const cells = cellsOf(given, places.role);
  const faults: FileFault[] = [];
  const attempt = async <Value>(
    read: (from: Cells) => Value | Promise<Value>,
  ): Promise<Value | undefined> => {
    try {
      return await read(cells);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      faults.push({ place, reason: error.say });
      return undefined;
    }
  };
  const wallet = await attempt(walletOf);
  const label = given.has('label') ? await attempt(labelOf) : undefined;
  const channelId = await attempt(() =>
    places.channel(cells.thing('channel', 'channelName', /^<#(\d+)>$/, '#')),
  );
  const settings: [string, unknown][] = [];
  for (const name of SETTING_NAMES) {
    const { columns, fromFile } = settingOf(name);
    const isGiven = Object.keys(columns).some((column) => given.has(column));
    if (isGiven) settings.push([name, await attempt(fromFile)]);
  }
  const pause = given.has('paused') ? await attempt(pauseOf) : undefined;
  if (faults.length > 0 || wallet === undefined || channelId === undefined) return faults;
  const order: Order = {
    channelId,
    wallet,
    label,
    settings: Object.fromEntries(settings),
    pause,
  };
  await attempt(() => places.requireMention(order));
  return faults.length > 0 ? faults : order;
}

function walletOf(cells: Cells): WalletAddress {
  const text = cells.text('wallet');
  if (text === '') throw cells.fault(({ noWallet }) => noWallet);
  const found = findAddress(text);
  if (found.ok) return found.address;
  throw new UserError(addressTrouble(found));
}

function labelOf(cells: Cells): string | null {
  const text = cells.text('label');
  const { length } = Array.from(text);
  if (length > LABEL_LIMIT) {
    throw cells.unacceptable('label', text, ({ label }) => label(LABEL_LIMIT, length));
  }
  if (text === '') return null;
  return text;
}

function pauseOf(cells: Cells): Watch['pause'] {
  const text = cells.text('paused');
  if (/^(no|false)?$/i.test(text)) return null;
  if (/^(yes|true)$/i.test(text)) return { untilSeconds: null };
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const untilMs = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(untilMs)) throw cells.unacceptable('paused', text, ({ paused }) => paused);
  return { untilSeconds: untilMs / 1000 };
}

function isoTime(epochSeconds: number): string {
  return new Date(Math.min(epochSeconds * 1000, Date.UTC(9999, 11, 31))).toISOString();
}

/** Explains why a text does not contain exactly one address. It quotes the text as code. */
export function addressTrouble(found: Extract<FoundAddress, { ok: false }>): LocalizedText {
  return ({ texts }) => {
    const { several, andMore, transaction } = texts.answers.wallet;
    if (found.fault === 'several') {
      const named = found.addresses.slice(0, NAMED);
      const shown = named.map((address) => `\`${checksummed(address)}\``).join(', ');
      const more = found.addresses.length - NAMED;
      if (more <= 0) return several(shown);
      return several(andMore(shown, String(more)));
    }
    if (found.fault === 'transaction') return transaction(`\`${found.typed.slice(0, 10)}…\``);
    return texts.errors.wallet.address[found.fault](inlineCode(found.typed, TYPED_LIMIT));
  };
}
