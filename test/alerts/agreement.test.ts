import fc from 'fast-check';
import { expect, it } from 'vitest';
import { embedOf } from '../../src/alerts/kinds/kinds.ts';
import { resultGain } from '../../src/alerts/kinds/result.ts';
import { type DetailsView, detailsEmbeds } from '../../src/details/embed.ts';
import { signed } from '../../src/embeds/context-lines.ts';
import { createLinks } from '../../src/embeds/links.ts';
import { ENGLISH } from '../../src/language/language.ts';
import { Exact, sum } from '../../src/lib/exact.ts';
import { outcomeOf, sumsOf } from '../../src/portfolio/accounts/account.ts';
import { knowledgeSchema } from '../../src/portfolio/wallet-knowledge.ts';
import { inMarket } from '../support/records.ts';
import { A, CHANNEL, watchingBot } from '../support/test-bot.ts';
import { randomRuns } from '../support/thorough.ts';

const links = createLinks({});

/**
 * What the wallet does in one market: purchases, each followed by sales of parts of what is held;
 * in the end nothing is left.
 */
const market = fc.record({
  rounds: fc.array(
    fc.record({
      shares: fc.integer({ min: 10_000, max: 9_999_999 }).map((millis) => millis / 1_000),
      cents: fc.integer({ min: 10, max: 990 }).map((tenths) => tenths / 10),
      feeCents: fc.integer({ min: 0, max: 300 }),
      soldParts: fc.array(fc.constantFrom(0.1, 0.25, 0.333, 0.5, 1), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  endsByRedemption: fc.boolean(),
});

const usdc = (value: Exact) => signed(value, ENGLISH.format.usdc);
/** USDC with six digits behind the point, as the venue lists them. */
const micros = (value: number) => Math.round(value * 1e6) / 1e6;

it('a figure that follows from an alert is the same in the alert, its Details, the result, the card, the digest and the record', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(market, { minLength: 1, maxLength: 3 }), async (markets) => {
      const bot = await watchingBot();
      const realizedIn: Exact[] = [];
      const gains: Exact[] = [];
      for (const [index, { rounds, endsByRedemption }] of markets.entries()) {
        const names = { ...inMarket(`${index}`), eventSlug: `event-${index}` };
        let held = 0;
        const act = async (action: string, shares: number, cents: number, feeCents: number) => {
          const [gross, fee] = [micros((shares * cents) / 100), feeCents / 100];
          const net = action === 'Buy' ? gross + fee : fee - gross;
          const figures = {
            price: cents,
            quantity: shares,
            fee,
            grossValue: gross,
            transferNetAmount: micros(net),
          };
          await bot.see(A, { ...names, ...figures, action });
          held = micros(held + (action === 'Buy' ? shares : -shares));
        };
        const said: Exact[] = [];
        let answered = 0;
        const deliver = async () => {
          const waiting = bot.allWaiting(CHANNEL);
          for (const alert of waiting) {
            if (alert.event.kind === 'result') {
              const { paid, received } = alert.event.result;
              gains.push(new Exact(received).minus(paid));
              expect(resultGain(alert.event.result, ENGLISH)).toContain(
                usdc(sum(said.slice(answered))),
              );
              answered = said.length;
            }
            if (alert.event.kind !== 'activity' || alert.event.context?.realized == null) continue;
            const { item, context } = alert.event;
            const realized = new Exact(context.realized ?? 0);
            said.push(realized);
            const shown = embedOf(
              { alerts: [alert] },
              { links, language: ENGLISH, labelOf: () => undefined },
            );
            expect(shown.description).toContain(`**${usdc(realized)}**`);
            const view: DetailsView = {
              wallet: A,
              reference: 'a1',
              label: null,
              items: [item],
              missing: 0,
              cutAfter: null,
              skipped: 0,
              postedAtMs: bot.nowSeconds * 1000,
              changedAtMs: null,
              knowledge: {
                when: 'atAlert',
                position: context,
                size: null,
                results: [],
                record: null,
                seenAtMs: bot.nowSeconds * 1000,
              },
              links,
              language: ENGLISH,
            };
            // Of its six digits: 142.604999996 is 142.605 there, and 142.60 in the alert.
            expect(figuresIn(detailsEmbeds(view).withFile(false))).toContain(
              usdc(realized.toDecimalPlaces(6)),
            );
          }
          await bot.deliver(CHANNEL);
        };
        for (const { shares, cents, feeCents, soldParts } of rounds) {
          await act('Buy', shares, cents, feeCents);
          await deliver();
          for (const part of soldParts) {
            const sold = micros(held * part);
            if (sold <= 0) continue;
            await act('Sell', sold, 55, feeCents);
            await deliver();
          }
        }
        if (held > 0) {
          await act(endsByRedemption ? 'Redeem' : 'Sell', held, endsByRedemption ? 100 : 45, 0);
          await deliver();
        }
        // The result itself waits until then.
        await deliver();
        realizedIn.push(sum(said));
      }
      const knowledge = knowledgeSchema.parse(bot.knowledge(A));
      const total = usdc(sum(realizedIn));
      expect(usdc(sum(gains)), 'results').toBe(total);
      const accounts = knowledge.portfolio.accounts.markets.flatMap((account) => {
        const sums = sumsOf(account);
        return sums === null ? [] : [outcomeOf(account, sums, undefined)];
      });
      const gained = sum(accounts.map(({ back, paid }) => back.minus(paid)));
      expect(usdc(gained), 'what came back').toBe(total);
      for (const [index, { rounds }] of markets.entries()) {
        const first = knowledge.record.markets[index];
        if (rounds.length > 1 || first === undefined) continue;
        expect(usdc(new Exact(micros(first.backUsdc - first.paidUsdc))), 'record').toBe(
          usdc(realizedIn[index] ?? new Exact(0)),
        );
      }
    }),
    randomRuns(60),
  );
});

/** The amounts of an answer, rounded as an alert rounds them. */
function figuresIn(answer: unknown): string[] {
  const amounts = JSON.stringify(answer).matchAll(/([+−]?)\u2060?\$([\d,.]+)/g);
  return [...amounts].map(([, sign, digits = '']) => {
    const value = new Exact(digits.replaceAll(',', '').replace(/\.$/, ''));
    return usdc(sign === '−' ? value.negated() : value);
  });
}
