import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/alert/alert.ts';
import { compose } from '../../src/alert/compose.ts';
import { createLinks } from '../../src/alert/links.ts';
import { assertEmbedLimits, EMBED_LIMITS, embedSize } from '../../src/alert/pack.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import { trade, transfer } from '../e2e/room.ts';
import { hostileText } from './hostileText.ts';

const NOW_SECONDS = 1_800_000_000;
const CATCH_UP_SECONDS = 900;
const WALLETS = ['a', 'b', 'c'].map((letter) => `0x${letter.repeat(40)}` as WalletAddress);

const context = {
  labelOf: () => 'Whale',
  links: createLinks({}),
  sentAtMs: NOW_SECONDS * 1000,
  catchUpAfterMs: CATCH_UP_SECONDS * 1000,
};

function alert(id: string, ageSeconds: number, wallet = WALLETS[0] as WalletAddress): Alert {
  const item = trade({ time: NOW_SECONDS - ageSeconds, transferNetAmount: 0.1, quantity: Number(id.slice(1)) });
  return { id, wallet, channelId: '1', event: { kind: 'activity', item }, seenAtMs: 0 };
}

describe('compose', () => {
  it('tells what is new one by one', () => {
    const { embeds, alerts } = compose([alert('a1', 5), alert('a2', 3)], context);
    expect(alerts.map(({ id }) => id)).toEqual(['a1', 'a2']);
    expect(embeds.map(({ title }) => title)).toEqual(['Whale bought 1 Yes at 63.5¢', 'Whale bought 2 Yes at 63.5¢']);
  });

  it('collects what comes late into one embed a wallet, with exact totals and every item', () => {
    const late = Array.from({ length: 12 }, (_, index) => alert(`a${index + 1}`, 5_000 - index));
    const gap: Alert = {
      ...alert('a99', 0),
      event: {
        kind: 'gap',
        gap: {
          cause: 'overflow',
          endpoint: 'activity',
          fromSeconds: NOW_SECONDS - 6_000,
          toSeconds: NOW_SECONDS - 4_000,
        },
      },
    };
    const deposited: Alert = {
      ...alert('a50', 0),
      event: { kind: 'transfer', item: transfer({ time: NOW_SECONDS - 4_500 }) },
    };
    const { embeds, alerts } = compose([gap, ...late, deposited, alert('a60', 10)], context);
    expect(alerts).toHaveLength(15);
    expect(embeds.map(({ title }) => title)).toEqual([
      'Whale: 14 alerts that come late',
      'Whale bought 60 Yes at 63.5¢',
    ]);
    // Twelve times 0.1 is 1.2000000000000002 in floating point.
    expect(embeds[0]?.description).toContain('12 × Buy, paid **$1.20** · 1 × deposit, of **$5,000.00**.');
    expect(embeds[0]?.description?.match(/Bought/g)).toHaveLength(12);
    expect(embeds[0]?.description).toContain('may be missing');
    expect(embeds[0]?.footer?.text).toBe('Catch-up of 14 · #a99');
  });

  it('says how many a catch-up could not list', () => {
    const late = Array.from({ length: 400 }, (_, index) => alert(`a${index + 1}`, 5_000 - index));
    const { embeds, alerts } = compose(late, context);
    expect(alerts).toHaveLength(400);
    const listed = embeds[0]?.description?.match(/Bought/g)?.length ?? 0;
    expect(embeds[0]?.description).toContain(`… and ${400 - listed} more.`);
  });

  it('tells a single late one like any other', () => {
    expect(compose([alert('a1', 5_000)], context).embeds[0]?.footer?.text).toContain('Rang 1 h 23 min after the trade');
  });

  it('fits one message, tells at least one alert, none twice, and each wallet in its order, whatever waits', () => {
    const waiting = fc.array(
      fc.record({
        wallet: fc.constantFrom(...WALLETS),
        ageSeconds: fc.integer({ min: 0, max: 2_000 }),
        marketTitle: hostileText(),
        positionSide: hostileText(),
      }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(waiting, (kinds) => {
        const alerts = kinds.map(({ wallet, ageSeconds, marketTitle, positionSide }, index): Alert => {
          const item = trade({ time: NOW_SECONDS - ageSeconds, marketTitle, positionSide });
          return { id: `i${index}`, wallet, channelId: '1', event: { kind: 'activity', item }, seenAtMs: 0 };
        });
        const composed = compose(alerts, context);
        expect(composed.alerts.length).toBeGreaterThanOrEqual(1);
        expect(new Set(composed.alerts).size).toBe(composed.alerts.length);
        expect(composed.embeds.length).toBeLessThanOrEqual(EMBED_LIMITS.perMessage);
        const size = composed.embeds.reduce((sum, embed) => sum + embedSize(embed), 0);
        expect(size).toBeLessThanOrEqual(EMBED_LIMITS.totalPerMessage);
        for (const embed of composed.embeds) assertEmbedLimits(embed);
        for (const wallet of WALLETS) {
          const told = composed.alerts.filter((one) => one.wallet === wallet);
          const wanted = alerts.filter((one) => one.wallet === wallet).slice(0, told.length);
          expect(told).toEqual(wanted);
        }
      }),
      { numRuns: 500 },
    );
  });
});
