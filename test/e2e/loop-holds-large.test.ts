import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { OptionValues } from '@walletbell/local-discord/discord/people/commandline';
import type { FieldValues } from '@walletbell/local-discord/discord/people/handle';
import { PermissionFlagsBits } from 'discord.js';
import { expect, it } from 'vitest';
import { COMPONENTS, MESSAGE_COMMANDS, SLASH_COMMANDS } from '../../commands/slash-commands.ts';
import { CHANNEL_FORMS, WATCH_FORMS } from '../../commands/watch/panel/rows.ts';
import { SUBCOMMANDS } from '../../commands/watch.ts';
import { ADD_FORM } from '../../src/discord/guilds/welcome.ts';
import { fillServer } from '../support/full-server.ts';
import { limitsOfAll } from '../support/limits-file.ts';
import { LIMIT_PARSES, longestHold, MEASURE_HOLDS, tooLongTwice } from '../support/loop-holds.ts';
import { buy, inMarket, nowSeconds, txHash } from '../support/records.ts';
import { temporaryFolder } from '../support/temp.ts';
import { IS_THOROUGH, within } from '../support/thorough.ts';
import { WALLET, WALLET_B, walletOfDigit } from '../support/wallets.ts';
import { storeWatches } from '../support/world.ts';
import { type Fixture, type LogLine, openFixture, postButton } from './fixture.ts';

/** A start looks at each channel: a quarter of them where not everything runs. */
const CHANNELS = IS_THOROUGH ? 200 : 50;
const WAITING_ALERTS = 990;
/** Fills of the transaction that is asked about, which wait as well. */
const FILLS = 90;
const OPEN_POSITIONS = 400;
/** In each channel: 30,000 are kept of all. */
const DECISIONS = 150;
/** Records that one page shows. */
const PAGE = 75;
const NEWCOMER = walletOfDigit('c');
/** Wallets of a file. */
const IMPORTED = 200;
/** What is typed into each option that suggests something. */
const TYPED = ['', 'zzzz', '0x', 'a'];
/** What runs where not everything does. */
const SAMPLE: readonly string[] = [
  'watch list',
  'watch why',
  'watch status',
  'watch scores',
  'watch channel',
  'market',
  'watch why transaction: zzzz',
  'market market: a',
  'watch:list:*',
  'watch:panel:markets:*:*',
  'details:*',
  'watch:delete-data:yes',
];

interface Part {
  readonly name: string;
  readonly type?: number;
  readonly autocomplete?: boolean;
  readonly options?: readonly Part[];
}
const IS_SUBCOMMAND = 1;
/** Callback type of an answer that is a form. */
const MODAL = 9;

/** Each command as it is typed, with its options, as Discord is sent them. */
const LINES = new Map(
  SLASH_COMMANDS.flatMap(({ definition }) => {
    const { name, options = [] } = JSON.parse(JSON.stringify(definition.toJSON())) as Part;
    const subcommands = options.filter(({ type }) => type === IS_SUBCOMMAND);
    if (subcommands.length === 0) return [[name, options] as const];
    return subcommands.map((part) => [`${name} ${part.name}`, part.options ?? []] as const);
  }),
);

/** Buttons of settings panels. */
const PANEL_ACTIONS = [
  ...WATCH_FORMS,
  ...CHANNEL_FORMS,
  ...['add', 'open', 'example', 'pause', 'resume', 'why', 'remove', 'kept', 'again'],
];
/** What is typed into fields of forms. */
const FORM_VALUES: FieldValues = {
  'min-usdc': '7',
  'words:more': 'zzzz',
  'cooldown:more': '7m',
  'for:more': '7m',
  label: 'Other',
  wallet: walletOfDigit('f'),
  quiet: '22-7',
  // Refused, so that the form can be opened again.
  'time-zone': 'Mars',
  consensus: '3',
};

/** Beginnings of the custom ids that each command, and what stands under alerts, answers to. */
const PRESSED = [
  ...SLASH_COMMANDS.filter(({ definition, press }) => press && definition.name !== 'watch').map(
    ({ definition }) => definition.name,
  ),
  ...SUBCOMMANDS.filter(({ press }) => press).map(({ name }) => `watch:${name}`),
  'watch:mute',
  ...PANEL_ACTIONS.map((action) => `watch:panel:${action}`),
  ...COMPONENTS.map(({ name }) => name),
];

/** A custom id without what it is about: `watch:list:10` and `watch:list:20` do the same. */
function kindOf(customId: string): string {
  const [name = '', ...args] = customId.split(':');
  if (COMPONENTS.some((component) => component.name === name)) return `${name}:*`;
  // References of alerts have eight letters.
  const isWord = (arg: string) => /^(?:[a-z]{2,7}|delete-data|consensus)$/.test(arg);
  return [name, ...args.map((arg) => (isWord(arg) ? arg : '*'))].join(':');
}

/** Whether a kind is one of these custom ids, of a button or in a menu. */
function isOf(kind: string, start: string): boolean {
  return `${kind.replace(/^menu /, '')}:`.startsWith(`${start}:`);
}

interface Pressed {
  readonly message: SeenMessage;
  readonly customId: string;
  /** What is chosen of a menu. */
  readonly value?: string;
}

/** What can be pressed in a message: buttons, and the choices of menus. */
function pressable(message: SeenMessage): [kind: string, Pressed][] {
  type Component = {
    custom_id?: string;
    disabled?: boolean;
    components?: Component[];
    options?: { value: string }[];
  };
  const read = (component: Component): [string, Pressed][] => {
    const { custom_id: customId, disabled, components = [], options } = component;
    if (customId === undefined || disabled) return components.flatMap(read);
    if (options === undefined) return [[kindOf(customId), { message, customId }]];
    return options.map(({ value }) => [`menu ${kindOf(value)}`, { message, customId, value }]);
  };
  return (message.components as unknown as Component[]).flatMap(read);
}

/** Runs what people do, one after the other, and notes for how long each held the loop. */
function createMeasuring(fixture: Fixture) {
  const holds: Record<string, number> = {};
  const faults: unknown[] = [];
  return {
    holds,
    faults,
    async measure<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
      await longestHold(fixture);
      const result = await work();
      const bad = fixture.logLines.filter(({ event }) =>
        /^(?:command\.failed|interaction\.unanswered)$/.test(String(event)),
      );
      if (bad.length > 0) faults.push({ name, bad });
      holds[name] = Math.max(holds[name] ?? 0, await longestHold(fixture));
      return result;
    },
  };
}

/** A bot with a server of that size, which has nothing left to do. */
async function openFull() {
  const fixture = await openFixture({
    withoutBot: true,
    environment: {
      NODE_OPTIONS: MEASURE_HOLDS,
      WATCHES_PER_GUILD: '1000',
      ...limitsOfAll(temporaryFolder(), { lookupShare: 1 }),
    },
  });
  const { discord, guildId, channelId: deskId, storeUrl } = fixture;
  const createChannel = (_: unknown, index: number): string => {
    const { id } = discord.createChannel(guildId, { name: `channel-${index}` });
    discord.setBotPermissions(id, PermissionFlagsBits.ViewChannel);
    return id;
  };
  const others = Array.from({ length: CHANNELS - 1 }, createChannel);
  const channelIds = [createChannel(null, CHANNELS), ...others] as const;
  const records = await fillServer({
    storeUrl,
    guildId,
    wallet: WALLET,
    deskId,
    channelIds,
    openPositions: OPEN_POSITIONS,
    waitingAlerts: WAITING_ALERTS - FILLS,
  });
  const watches = channelIds.map((channelId) => ({ guildId, channelId, wallet: WALLET_B }));
  await storeWatches({ storeUrl, watches }, { kinds: ['sell'] });
  // A wallet that trades so much that `/watch add` offers less of it.
  const busy = Array.from({ length: PAGE }, (_, n) => {
    const time = nowSeconds() - 60 * n;
    const item = buy(100, 50, { ...inMarket(n), trader: NEWCOMER, time });
    return { kind: 'activity', wallet: NEWCOMER, block: 1, item } as const;
  });
  await fixture.ledger.addAll([...records, ...busy]);
  await fixture.startBot({}, { asProcess: true });
  const isBlocked = ({ event }: LogLine) => event === 'channel.blocked';
  await expect
    .poll(() => fixture.logLines.filter(isBlocked).length, { timeout: 120_000, interval: 200 })
    .toBe(CHANNELS);

  let decidedHash = '';
  for (let decided = 0; decided < DECISIONS; decided += PAGE) {
    fixture.logLines.length = 0;
    const items = Array.from({ length: PAGE }, (_, n) =>
      buy(100, 50, { ...inMarket(n), trader: WALLET_B, time: nowSeconds(), txHash: txHash() }),
    );
    decidedHash = items[0]?.txHash ?? '';
    await fixture.trades(...items);
    await fixture.logged('poll.fresh');
  }
  // A transaction of many fills, which no channel but the desk has begun to send, and several alerts
  // in one message, with a menu.
  const waitingHash = txHash();
  const fills = Array.from({ length: FILLS }, (_, n) =>
    buy(5_000 + n, 50, { ...inMarket('desk'), trader: WALLET, txHash: waitingHash }),
  );
  await fixture.trades(...fills);
  await fixture.alerted(1);
  await fixture.say('watch channel', { view: 'compact' });
  await fixture.trades(
    ...[1, 2, 3].map((n) => buy(5_000 + n, 50, { ...inMarket(`desk${n}`), trader: WALLET })),
  );
  await fixture.until(() => fixture.posted().length > 1);
  await expect
    .poll(() => longestHold(fixture), { timeout: 60_000, interval: 1_000 })
    .toBeLessThan(LIMIT_PARSES / 5);
  return { fixture, waitingHash, decidedHash, forgottenHash: records[0]?.item.txHash ?? '' };
}

/** What is typed for each command, once or several times. */
function valuesOf({
  waitingHash,
  decidedHash,
  forgottenHash,
}: Awaited<ReturnType<typeof openFull>>): Readonly<Record<string, readonly OptionValues[]>> {
  const rows = Array.from({ length: IMPORTED }, (_, n) => `0x${String(n).padStart(40, 'e')},New`);
  const data = Buffer.from(`wallet,label\n${rows.join('\n')}`);
  return {
    'watch add': [{ wallet: NEWCOMER, label: 'New' }],
    'watch edit': [
      { wallet: WALLET },
      { wallet: WALLET, 'min-usdc': 5 },
      { wallet: WALLET, markets: 'only: nothing-like-it' },
    ],
    'watch remove': [{ wallet: NEWCOMER }],
    'watch pause': [{ for: '1h' }],
    'watch resume': [{}],
    'watch channel': [{}, { view: 'full' }, { words: 'only: nothing-like-it' }],
    'watch digest': [{ every: 'day' }],
    'watch scores': [{}],
    'watch list': [{}],
    'watch why': [
      { wallet: WALLET, transaction: waitingHash },
      { wallet: WALLET_B, transaction: decidedHash },
      { wallet: WALLET, transaction: forgottenHash },
    ],
    'watch status': [{}],
    'watch export': [{}, { format: 'json' }],
    'watch import': [{ file: { filename: 'watches.csv', data } }],
    'watch delete-data': [{}],
    activity: [{ wallet: WALLET }],
    flows: [{ wallet: WALLET }],
    market: [{}, { market: '7' }],
  };
}

/** Uses every command, suggestion, button, menu and form of a bot of its own. */
async function useAll() {
  const full = await openFull();
  const values = valuesOf(full);
  expect(Object.keys(values).sort(), 'each command has something to type').toEqual(
    [...LINES.keys()].sort(),
  );
  const { fixture } = full;
  const { discord, channelId: deskId, admin } = fixture;
  // A start tries channels before the gateway has said which the bot may write in.
  const startRejections = discord.rejections.length;
  const { measure, holds, faults } = createMeasuring(fixture);
  const isMeant = (name: string) => IS_THOROUGH || SAMPLE.includes(name);
  const left = new Map<string, Pressed>();
  const note = (message: SeenMessage) => {
    for (const [kind, pressed] of pressable(message)) if (!left.has(kind)) left.set(kind, pressed);
  };

  for (const [line, options] of LINES) {
    for (const { name } of options.filter(({ autocomplete }) => autocomplete)) {
      for (const typed of TYPED) {
        const use = `${line} ${name}: ${typed}`;
        if (!isMeant(use)) continue;
        await measure(use, () =>
          discord.autocomplete(admin, deskId, line, { [name]: typed }, name),
        );
      }
    }
    if (!isMeant(line)) continue;
    for (const typed of values[line] ?? []) {
      note(await measure(line, () => fixture.say(line, typed)));
    }
  }
  for (const message of fixture.posted()) note(message);
  // Buttons that answers have only elsewhere, or where wallets have scores.
  const { id: privateId } = discord.openDm(admin.userId);
  // What is deleted of a person is removed from the documents of a wallet that all channels watch.
  note(await fixture.say('watch add', { wallet: WALLET }, privateId));
  await fixture.trades(buy(6_000, 50, { ...inMarket('private'), trader: WALLET }));
  await fixture.alerted(1, privateId);
  note(await fixture.say('watch delete-data', {}, privateId));
  note(await postButton(fixture, `watch:scores:${deskId}`));
  note(await postButton(fixture, ADD_FORM));
  // Others are about the watch that it removes.
  for (const [kind, removal] of [...left].filter(([kind]) => isOf(kind, 'watch:panel:remove'))) {
    left.delete(kind);
    left.set(kind, removal);
  }
  const pressed = new Set<string>();
  for (const [kind, { message, customId, value }] of left) {
    pressed.add(kind);
    if (!isMeant(kind)) continue;
    // An answer to another button may have taken its place.
    const isThere = JSON.stringify(discord.message(message.id)?.components).includes(customId);
    const { id } = isThere ? message : await postButton(fixture, customId);
    const press = () =>
      value === undefined
        ? discord.press(admin, id, customId)
        : discord.select(admin, id, customId, [value]);
    const handle = await measure(kind, async () => {
      const one = await press();
      if ((await one.acknowledged()) !== MODAL) note(await one.reply());
      return one;
    });
    if (handle.acknowledgement !== MODAL) continue;
    const modal = await handle.modal();
    const ids = modal.fields.map(({ customId }) => customId);
    const typed = Object.entries({ ...FORM_VALUES, transaction: full.forgottenHash });
    const values = Object.fromEntries(typed.filter(([id]) => ids.includes(id)));
    note(await measure(`${kind} (form)`, async () => (await modal.submit(values)).reply()));
  }
  const [alert] = fixture.posted();
  for (const { definition } of MESSAGE_COMMANDS) {
    if (!IS_THOROUGH || alert === undefined) continue;
    await measure(definition.name, async () =>
      (await discord.useOnMessage(admin, alert.id, definition.name)).reply(),
    );
  }

  await fixture.bot.stop();
  return { holds, faults, pressed, rejections: discord.rejections.slice(startRejections) };
}

it(`no command, suggestion, button or menu holds the event loop in a server of ${CHANNELS} channels with ${WAITING_ALERTS} waiting alerts each, ${OPEN_POSITIONS} open positions and ${CHANNELS * DECISIONS} decisions, and all are answered`, {
  timeout: within(300_000),
}, async () => {
  const { holds, faults, pressed, rejections } = await useAll();
  const tooLong = await tooLongTwice(holds, async () => (await useAll()).holds);
  expect(tooLong, JSON.stringify(holds)).toEqual([]);
  expect(faults).toEqual([]);
  expect(rejections).toEqual([]);
  expect(IS_THOROUGH ? [] : SAMPLE.filter((name) => holds[name] === undefined)).toEqual([]);
  const unpressed = PRESSED.filter((name) => ![...pressed].some((kind) => isOf(kind, name)));
  if (IS_THOROUGH) expect(unpressed, JSON.stringify([...pressed])).toEqual([]);
});
