import * as z from 'zod';
import { shortAddress } from '../../domain/address.ts';
import {
  EMBED_COLOURS,
  fitUrls,
  footer,
  lines,
  marketTitle,
  named,
  present,
  type RenderContext,
  sideName,
  smallPrint,
  timestamp,
} from '../../embeds/embed-parts.ts';
import { maskedLink } from '../../embeds/text/escape.ts';
import type { Language } from '../../language/language.ts';
import { quotient, sum } from '../../lib/exact.ts';
import { type ConsensusNews, consensusNewsSchema } from '../../portfolio/news.ts';
import { type AlertKind, headedLine } from './kind.ts';

const NAME_MAX = 60;
/** Wallets that are listed on each side. */
const NAMED = 5;
/** Characters of a description (4,096) for URLs: the text beside them takes fewer than 2,700 code points. */
const URL_ROOM = 1_300;

type Stakes = ConsensusNews['stakes'];

const schema = z.object({ kind: z.literal('consensus'), consensus: consensusNewsSchema });

/** Several wallets of a channel bought the same outcome: who bought how much at what price, and who bought another one. */
export const consensusKind: AlertKind<z.infer<typeof schema>> = {
  schema,
  isNotice: false,
  seconds: ({ consensus }) => [consensus.fromSeconds, consensus.toSeconds],
  endpoint: () => 'activity',
  usdc: () => null,
  isForNewcomer: () => false,
  /** How many wallets bought what, and for how much. */
  headline({ event: { consensus } }, language) {
    const { stakes, opposing, side, isEscalation, market } = consensus;
    const { took, nowTook, disagree, against } = language.texts.news.consensus;
    const { format } = language;
    const [count, name] = [format.quantity(stakes.length), sideName(side, language)];
    const amountOf = (some: Stakes) => format.roundUsdc(total(some).usdc.toNumber());
    const isAgreed = opposing.length === 0;
    const said = isAgreed
      ? present((isEscalation ? nowTook : took)(count, name), amountOf(stakes))
      : present(
          disagree(count, name, format.quantity(opposing.length), oneSide(opposing, language)),
          against(amountOf(stakes), amountOf(opposing)),
        );
    return { emoji: isAgreed ? '🤝' : '⚖️', says: () => said, market: named(market) };
  },
  line: (group, context) =>
    headedLine(consensusKind.headline(group, context.language), group.event.consensus.toSeconds, context),
  embed({ event: { consensus }, alerts: [alert] }, context) {
    const { stakes, opposing, hedged, rule, side, fromSeconds, toSeconds } = consensus;
    const { language, links } = context;
    const { format } = language;
    const texts = language.texts.news.consensus;
    const shown = [...stakes.slice(0, NAMED), ...opposing.slice(0, NAMED)];
    const urls = fitUrls(URL_ROOM, ...shown.map(({ wallet }) => links.wallet(wallet)));
    const otherSide = oneSide(opposing, language) ?? `**${texts.otherOutcomes}**`;
    return {
      ...marketTitle(named(consensus.market), alert, context),
      description: lines(
        ...sideLines(sideName(side, language), stakes, urls, context),
        ...(opposing.length === 0
          ? []
          : sideLines(otherSide, opposing, urls.slice(Math.min(NAMED, stakes.length)), context)),
        ...smallPrint(hedged === 0 ? undefined : texts.hedged(format.quantity(hedged), hedged)),
      ),
      color: EMBED_COLOURS.consensus,
      footer: footer(
        alert,
        present(
          toSeconds > fromSeconds ? texts.within(format.duration(toSeconds - fromSeconds)) : undefined,
          texts.rule(format.quantity(rule.wallets), format.duration(rule.hours * 3_600)),
        ),
      ),
      ...timestamp(toSeconds),
    };
  },
  looks: ({ consensus }) => [{ market: named(consensus.market) }],
  sumWord: () => '',
  sumText: ({ length }, _usdc, { texts, format }) => texts.alerts.catchUp.agreements(format.quantity(length), length),
};

/** All stakes of one side in a line, then the largest of them, a line each. @param side bold already */
function sideLines(
  side: string,
  stakes: Stakes,
  urls: readonly (string | undefined)[],
  { labelOf, language }: Pick<RenderContext, 'labelOf' | 'language'>,
): string[] {
  const { format } = language;
  const texts = language.texts.news.consensus;
  const all = total(stakes);
  const left = stakes.length - NAMED;
  return [
    texts.weight(
      side,
      format.usdc(all.usdc.toNumber()),
      format.shares(all.shares.toNumber()),
      averageCents(stakes, language),
    ),
    ...stakes.slice(0, NAMED).map((stake, index) => {
      const address = shortAddress(stake.wallet);
      const name = maskedLink(labelOf(stake.wallet) ?? address, urls[index], NAME_MAX, address);
      return `• ${texts.stake(name, format.usdc(Number(stake.usdc)), averageCents([stake], language))}`;
    }),
    ...(left > 0 ? [texts.more(format.quantity(left), left)] : []),
  ];
}

function total(stakes: Stakes) {
  return { usdc: sum(stakes.map(({ usdc }) => usdc)), shares: sum(stakes.map(({ shares }) => shares)) };
}

/** The average price of shares, in cents; undefined without shares. */
function averageCents(stakes: Stakes, { format }: Language): string | undefined {
  const { usdc, shares } = total(stakes);
  return shares.isZero() ? undefined : format.cents(quotient(usdc, shares).times(100).toNumber());
}

/** The outcome that all of them bought, as `sideName`; undefined if they bought several. */
function oneSide(stakes: Stakes, language: Language): string | undefined {
  const [side, ...others] = new Set(stakes.map((stake) => stake.side));
  return side === undefined || others.length > 0 ? undefined : sideName(side, language);
}
