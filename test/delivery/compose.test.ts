import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alerts/alert.ts';
import { renderMessage } from '../../src/delivery/compose.ts';
import { NO_COOLDOWNS } from '../../src/delivery/cooldowns.ts';
import { plan } from '../../src/delivery/plan.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH } from '../../src/language/language.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import type { ActivityItem } from '../../src/venue/schema.ts';
import { DEFAULT_SETTINGS } from '../../src/watches/watch-settings.ts';
import { trade, transfer } from '../e2e/room.ts';

const NOW_SECONDS = 1_800_000_000;
const WALLETS = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `0x${letter.repeat(40)}` as WalletAddress);

const context = {
  language: ENGLISH,
  labelOf: () => 'Whale',
  links: createLinks({}),
  sentAtMs: NOW_SECONDS * 1000,
  isCompact: false,
};

function alert(id: string, ageSeconds: number, changes: Partial<ActivityItem> = {}, wallet = WALLETS[0]): Alert {
  const item = trade({ time: NOW_SECONDS - ageSeconds, quantity: Number(id.slice(1)), ...changes });
  return { id, wallet: wallet as WalletAddress, channelId: '1', event: { kind: 'activity', item }, seenAtMs: 0 };
}

function inMarket(market: number): Partial<ActivityItem> {
  return { marketId: String(market), conditionId: `0x${market}` };
}

/** What a room without wishes is told now, as one message. */
function compose(waiting: readonly Alert[], changes: Partial<typeof context> = {}) {
  const { groups } = plan(waiting, {
    nowMs: NOW_SECONDS * 1000,
    settingsOf: () => DEFAULT_SETTINGS,
    polledAtMs: () => null,
    cooldowns: NO_COOLDOWNS,
    catchUpAfterMs: 900_000,
  });
  const { body, included } = renderMessage(groups, { ...context, ...changes });
  return { ...body, alerts: groups.slice(0, included).flatMap((group) => group.alerts) };
}

describe('a message', () => {
  it('tells what does not belong together one by one, and what does in the place of its first', () => {
    const waiting = [
      alert('a1', 5),
      alert('a2', 4, { action: 'Sell' }),
      alert('a3', 3),
      alert('a4', 2, { positionSide: 'No', outcomeIndex: 1 }),
      alert('a5', 1, inMarket(7)),
    ];
    const { content, embeds, alerts } = compose(waiting);
    expect(alerts.map(({ id }) => id)).toEqual(['a1', 'a3', 'a2', 'a4', 'a5']);
    expect(content).toBe('🟢 Whale BUY **Yes** $1,570 at 63.5¢ · Will it rain in Paris? · +3 more');
    expect(embeds.map(({ description }) => description)).toEqual([
      '🟢 BUY **Yes** $1,570 at 63.5¢\n-# 4 shares · 2 fills · taker',
      '🔴 SELL **Yes** paid $785.11 at 63.5¢\n-# 2 shares · taker',
      '🟢 BUY **No** $785.11 at 63.5¢\n-# 4 shares · taker',
      '🟢 BUY **Yes** $785.11 at 63.5¢\n-# 5 shares · taker',
    ]);
  });

  it('says above its embeds the largest of what it tells, and in one that stands alone nothing twice', () => {
    const [small, large] = [alert('a1', 5), alert('a2', 4, { ...inMarket(7), transferNetAmount: 5_000 })];
    expect(compose([small, large]).content).toContain('BUY **Yes** $5,000 at 63.5¢');
    expect(compose([small]).content).toBe('🟢 Whale BUY **Yes** $785.11 at 63.5¢ · Will it rain in Paris?');
    expect(compose([small]).embeds[0]?.description).toBe('-# 1 share · taker');
  });

  it('cuts a long market so that its text takes two lines of a phone', () => {
    const cut = (marketTitle: string) => compose([alert('a1', 5, { marketTitle })]).content.split(' · ')[1] ?? '';
    expect(cut(`Will ${'it rain '.repeat(30)}`)).toMatch(/^Will it rain.{5,30}…$/u);
    expect(cut('雨'.repeat(90))).toMatch(/^雨{10,20}…$/u);
  });

  it('collects what comes late into one embed a wallet, with exact totals, a line for what belongs together', () => {
    const late = Array.from({ length: 12 }, (_, index) =>
      alert(`a${index + 1}`, 5_000 - index, { transferNetAmount: 0.1, ...inMarket(index % 2) }),
    );
    const times = { fromSeconds: NOW_SECONDS - 6_000, toSeconds: NOW_SECONDS - 4_000 };
    const gap: Alert = {
      ...alert('a99', 0),
      event: { kind: 'gap', gap: { cause: 'overflow', endpoint: 'activity', ...times } },
    };
    const deposited: Alert = {
      ...alert('a50', 0),
      event: { kind: 'transfer', item: transfer({ time: NOW_SECONDS - 4_500 }) },
    };
    const { content, embeds, alerts } = compose([gap, ...late, deposited, alert('a60', 10, inMarket(9))]);
    expect(alerts).toHaveLength(15);
    expect(content).toBe('🕓 Whale: 14 alerts arriving late · +1 more');
    // Twelve times 0.1 is 1.2000000000000002 in floating point.
    expect(embeds[0]?.description).toContain('12 × Buy, paid **$1.20** · 1 × deposit, of **$5,000.00**');
    expect(embeds[0]?.description?.match(/BUY/g)).toHaveLength(2);
    expect(embeds[0]?.description).toContain('6 fills');
    expect(embeds[0]?.description).toContain('may be missing');
    expect(embeds[0]?.footer?.text).toBe('Catch-up of 14 · #a99');
  });

  it('says how many a catch-up could not list', () => {
    const late = Array.from({ length: 400 }, (_, index) => alert(`a${index + 1}`, 5_000 - index, inMarket(index)));
    const { embeds, alerts } = compose(late);
    expect(alerts).toHaveLength(400);
    const listed = embeds[0]?.description?.match(/BUY/g)?.length ?? 0;
    expect(embeds[0]?.description).toContain(`… and ${400 - listed} more.`);
  });

  it('tells one late thing like any other', () => {
    expect(compose([alert('a1', 5_000)]).embeds[0]?.footer?.text).toContain('1 h 23 min after the trade');
    expect(compose([alert('a1', 5_000), alert('a2', 4_000)]).content).toContain('Whale BUY **Yes** $1,570');
  });

  it('holds alerts of five wallets at the most, a row of buttons for each', () => {
    const waiting = WALLETS.map((wallet, index) => alert(`a${index + 1}`, 5, {}, wallet));
    const { alerts, components } = compose(waiting);
    expect(alerts).toHaveLength(5);
    expect(components.map((row) => row.components.map((button) => button.custom_id))).toEqual(
      WALLETS.slice(0, 5).map((wallet) => [`watch:mute:${wallet}`, `activity:open:${wallet}`, `flows:open:${wallet}`]),
    );
    expect(components[0]?.components[0]?.label).toBe('Mute 1 h: Whale');
    expect(compose([alert('a1', 5)]).components[0]?.components[0]?.label).toBe('Mute 1 h');
  });

  it('in a compact room is one embed with a line each, and the reference of its first', () => {
    const waiting = [alert('a1', 40), alert('a2', 20, { action: 'Sell' }), alert('a3', 8)];
    const { content, embeds, alerts } = compose(waiting, { isCompact: true });
    expect(alerts).toHaveLength(3);
    expect(embeds).toHaveLength(1);
    expect(embeds[0]?.description?.split('\n')).toEqual([
      `🟢 Whale BUY **Yes** $1,570 at 63.5¢ · Will it rain in Paris? · 4 shares · 2 fills · <t:${NOW_SECONDS - 8}:R>`,
      `🔴 Whale SELL **Yes** paid $785.11 at 63.5¢ · Will it rain in Paris? · 2 shares · <t:${NOW_SECONDS - 20}:R>`,
    ]);
    expect(content).toBe('🟢 Whale BUY **Yes** $1,570 at 63.5¢ · Will it rain in Paris? · +1 more');
    expect(embeds[0]?.footer?.text).toBe('8 s after the last of them · #a1');
    const [alone] = compose([alert('a1', 40)], { isCompact: true }).embeds;
    expect(alone?.description).toBe(`Whale · Will it rain in Paris? · 1 share · <t:${NOW_SECONDS - 40}:R>`);
  });

  it('keeps its order within what belongs together, whatever waits', () => {
    const waiting = fc.array(
      fc.record({ wallet: fc.nat(2), ageSeconds: fc.integer({ min: 0, max: 2_000 }), market: fc.nat(2) }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(waiting, fc.boolean(), (kinds, isCompact) => {
        const alerts = kinds.map(({ wallet, ageSeconds, market }, index) =>
          alert(`a${index}`, ageSeconds, inMarket(market), WALLETS[wallet]),
        );
        const composed = compose(alerts, { isCompact });
        expect(composed.alerts.length).toBeGreaterThanOrEqual(1);
        expect(new Set(composed.alerts).size).toBe(composed.alerts.length);
        const places = composed.alerts.map((one) => alerts.indexOf(one));
        for (const [wallet] of WALLETS.entries()) {
          for (const market of [0, 1, 2]) {
            const isIt = (place: number) => kinds[place]?.wallet === wallet && kinds[place]?.market === market;
            const included = places.filter(isIt);
            expect(included).toEqual(
              kinds
                .map((_, place) => place)
                .filter(isIt)
                .slice(0, included.length),
            );
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
