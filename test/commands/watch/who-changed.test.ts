import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../../commands/shared/context.ts';
import { changesPage, historyLines } from '../../../commands/watch/shared/changes.ts';
import { embedSize } from '../../../src/embeds/text/limits.ts';
import {
  ENGLISH,
  LANGUAGE_TAGS,
  type Language,
  languageFor,
} from '../../../src/language/language.ts';
import type { ButtonUse } from '../../../src/slash-commands/slash-command.ts';
import { type Change, changeOf, changesOfChannel } from '../../../src/watches/changes.ts';
import { defaultChannelSettings } from '../../../src/watches/channel-settings.ts';
import { randomRuns } from '../../support/thorough.ts';
import { walletOfDigit } from '../../support/wallets.ts';
import { watchOf } from '../../support/watch.ts';

const SERVER = '100000000000000001';
const HERE = '200000000000000001';
const HIDDEN = '200000000000000002';
const WALLETS = [walletOfDigit('1'), walletOfDigit('2')] as const;
const PARTS = { minUsdc: 'min-usdc', label: 'label', priceCents: 'price', view: 'view' } as const;

const deeds = fc.constantFrom('added', 'edited', 'paused', 'resumed', 'removed', 'restored');
/** Changes a minute apart, or at once, oldest first. */
const histories = fc
  .array(
    fc.record({
      isAtOnce: fc.boolean(),
      by: fc.constantFrom('300000000000000001', '300000000000000002', null),
      channelId: fc.constantFrom(HERE, HIDDEN),
      wallet: fc.constantFrom(...WALLETS, null),
      deed: deeds as fc.Arbitrary<Change['deed']>,
      parts: fc.subarray(Object.keys(PARTS)),
    }),
    { maxLength: 40 },
  )
  .map((drawn) => {
    let atMs = 1_800_000_000_000;
    return drawn.map(({ isAtOnce, ...change }): Change => {
      if (!isAtOnce) atMs += 60_000;
      // Nothing is noted that has neither deed nor parts.
      const parts = change.deed === 'edited' ? [...change.parts, 'minUsdc'] : change.parts;
      return { ...change, parts: [...new Set(parts)], atMs };
    });
  });

/** Somebody with Manage Server who does not see the hidden channel. */
const MANAGER = {
  channelId: HERE,
  guildId: SERVER,
  context: 0,
  authorizingIntegrationOwners: { guildId: SERVER },
  memberPermissions: { has: () => true },
  inCachedGuild: () => true,
  member: {},
  guild: {
    channels: {
      cache: new Map([
        [HIDDEN, { isThread: () => false, permissionsFor: () => ({ has: () => false }) }],
      ]),
    },
  },
} as unknown as ButtonUse;

function contextOf(history: readonly Change[]) {
  return {
    interaction: MANAGER,
    changes: { of: () => history },
    place: { kind: 'server', ownerId: SERVER },
    language: ENGLISH,
    registry: { kept: () => watchOf({ label: 'Whale' }), ofOwner: () => [] },
  } as unknown as CommandContext;
}

describe('who changed a watch', () => {
  it('is said of its addition and of each setting: the last who did, since the wallet was added', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const watch = watchOf({ channelId: HERE, wallet: WALLETS[0] });
        const own = history.filter((one) => one.channelId === HERE && one.wallet === WALLETS[0]);
        const since = own.slice(
          Math.max(
            0,
            own.findLastIndex(({ deed }) => deed === 'added'),
          ),
        );
        const text = historyLines(watch, contextOf(history)).join('\n');
        const lastOf = (isSo: (change: Change) => boolean) => since.findLast(isSo);
        const by = (change: Change) => (change.by === null ? '' : ` · <@${change.by}>`);
        const at = ({ atMs }: Change) => ` · <t:${atMs / 1000}:R>`;
        for (const [part, name] of Object.entries(PARTS)) {
          const last = lastOf(({ parts }) => parts.includes(part));
          const said = text.split('\n').filter((line) => line.includes(`\`${name}\``));
          expect(said.length, name).toBe(last === undefined ? 0 : 1);
          if (last !== undefined) expect(said[0]).toContain(`changed${by(last)}${at(last)}`);
        }
        for (const kinds of [['added'], ['paused', 'resumed'], ['removed', 'restored']]) {
          const last = lastOf(({ deed }) => kinds.includes(deed));
          const said = text.split('\n').filter((line) => kinds.some((kind) => line.includes(kind)));
          expect(said.length, kinds.join()).toBe(last === undefined ? 0 : 1);
          if (last !== undefined) expect(said[0]).toContain(last.deed);
          if (last !== undefined) expect(said[0]).toContain(by(last) + at(last));
        }
      }),
      randomRuns(500),
    );
  });

  it('is listed for the server, newest first, each change once, in channels that the reader sees', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const context = contextOf(history);
        const seen = history.filter(({ channelId }) => channelId === HERE).toReversed();
        let listed = '';
        let at = 0;
        for (let pages = 0; pages <= seen.length; pages += 1) {
          const { embeds, components } = changesPage(context, at);
          const [embed] = embeds;
          expect(embedSize(embed ?? {})).toBeLessThanOrEqual(4_500);
          listed += `${embed?.description}\n`;
          const next = components[0]?.components
            .map((one) => ('custom_id' in one && one.disabled !== true ? one.custom_id : ''))
            .map((id) => Number(/^watch:list:changes:(\d+)$/.exec(id)?.[1] ?? 0))
            .find((index) => index > at);
          if (next === undefined) break;
          at = next;
        }
        expect(listed).not.toContain(HIDDEN);
        // One line says what a person did at once to several wallets.
        const times = [...listed.matchAll(/<t:(\d+):R>/g)].map(([, seconds]) => Number(seconds));
        expect(times).toEqual(times.toSorted((a, b) => b - a));
        expect(new Set(times)).toEqual(new Set(seen.map(({ atMs }) => atMs / 1000)));
        const lines = [...listed.matchAll(/^-# .*$/gm)].map(([line]) => line);
        const all = seen.map(({ wallet, ...change }) => ({ change, isOfWallet: wallet !== null }));
        const isRepeat = (at: number) =>
          all[at]?.isOfWallet === true &&
          all[at - 1]?.isOfWallet === true &&
          isDeepStrictEqual(all[at]?.change, all[at - 1]?.change);
        const expected = all.filter((_, index) => !isRepeat(index));
        expect(lines.length).toBe(expected.length);
        for (const [index, { change }] of expected.entries()) {
          if (change.deed !== 'edited') expect(lines[index]).toContain(change.deed);
          for (const part of change.parts)
            expect(lines[index]).toContain(`\`${PARTS[part as keyof typeof PARTS]}\``);
          if (change.by !== null) expect(lines[index]).toContain(` · <@${change.by}> · <t:`);
        }
      }),
      randomRuns(300),
    );
  });

  it('is listed with what it changed, from what to what, in any language, within what Discord takes', () => {
    const watch = watchOf({ channelId: HERE, wallet: WALLETS[0] });
    const { settings } = watch;
    const fromFifty = { ...watch, settings: { ...settings, minUsdc: 50 } };
    const names = Array.from({ length: 20 }, (_, index) => `market-${'x'.repeat(150)}-${index}`);
    const channel = defaultChannelSettings(SERVER, HERE);
    const quiet = { fromMinutes: 1_320, toMinutes: 420, timeZone: 'Europe/Berlin' };
    const made = [
      changeOf(fromFifty, { ...watch, settings: { ...settings, minUsdc: 500 } }),
      changeOf(fromFifty, { ...watch, label: '*New*' }),
      changeOf(watch, {
        ...watch,
        settings: { ...settings, kinds: ['buy'], cooldownSeconds: 600 },
      }),
      changeOf(watch, { ...watch, settings: { ...settings, markets: { mode: 'only', names } } }),
      ...changesOfChannel(channel, { ...channel, view: 'compact', results: false, language: 'de' }),
      ...changesOfChannel(channel, { ...channel, quiet, delay: { ms: 900_000, fromMs: 0 } }),
      ...changesOfChannel(channel, { ...channel, consensus: { wallets: 3, hours: 24 } }),
    ];
    const changes = made.flatMap((one) => one ?? []);
    const dated = changes.map((one, index) => ({ ...one, by: null, atMs: index * 60_000 }));
    const linesIn = (language: Language) => {
      const [embed] = changesPage({ ...contextOf(dated), language }, 0).embeds;
      return (embed?.description ?? '').match(/^-# .*$/gm)?.toReversed() ?? [];
    };
    expect(linesIn(ENGLISH).map((line) => line.replace(/ · <t:\d+:R>$/, ''))).toEqual([
      '-# `min-usdc` from $50 → $500',
      '-# `label` – → \\*New\\*, `min-usdc` from $50 → $0',
      '-# `kinds` – → only buys, `cooldown` – → at most one alert per market every 10m',
      '-# `markets` changed',
      '-# `view` full → compact, `results` on → off, `language` the server’s language → Deutsch',
      '-# `quiet` – → 22:00–07:00 (Europe/Berlin), `delay` – → 15 min',
      '-# `consensus` – → 3 / 1 d',
    ]);
    for (const tag of LANGUAGE_TAGS) {
      const lines = linesIn(languageFor(tag));
      expect(lines).toHaveLength(changes.length);
      expect(
        lines.filter((line) => line.includes(' → ')),
        tag,
      ).toHaveLength(changes.length - 1);
    }
  });

  it('is listed without values that nobody can read any more', () => {
    const one = { channelId: HERE, wallet: WALLETS[0], deed: 'edited' as const, by: null, atMs: 0 };
    const values = { minUsdc: ['{', '5'], label: ['1', '2'], view: ['"x"', '"full"'] } as const;
    const [embed] = changesPage(
      contextOf([{ ...one, parts: Object.keys(values), values }]),
      0,
    ).embeds;
    expect(embed?.description).toContain('-# `min-usdc`, `label`, `view` changed · <t:0:R>');
  });

  it('is not listed for people who have lost Manage Server since the button was shown', () => {
    const interaction = { ...MANAGER, memberPermissions: { has: () => false } };
    const context = { ...contextOf([]), interaction } as unknown as CommandContext;
    expect(() => changesPage(context, 0)).toThrow('Manage Server');
  });
});
