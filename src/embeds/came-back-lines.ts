import type { Language } from '../language/language.ts';
import { Exact } from '../lib/exact.ts';
import type { CameBack } from '../portfolio/came-back.ts';
import { gainText } from './context-lines.ts';
import { presentParts, smallPrint } from './embed-parts.ts';
import { dayOf } from './record-lines.ts';

/**
 * Returns `$52,100 of $48,200`, and lines under it: `at least **+$3,900** (+8.1%)`, and the number
 * of markets. The gain is shown only if the unresolved shares cannot reverse it.
 */
export function cameBackText(cameBack: CameBack, language: Language) {
  const { texts, format } = language;
  const { cameBack: words } = texts.card;
  const { markets, paidUsdc, backUsdc, untilSeconds, withoutEnd } = cameBack;
  const usdc = (amount: string) => format.roundUsdc(new Exact(amount).toNumber());
  const basis = [words.markets(format.quantity(markets), markets, dayOf(untilSeconds))];
  if (withoutEnd.markets > 0) {
    const count = format.quantity(withoutEnd.markets);
    basis.push(words.withoutEnd(count, withoutEnd.markets, usdc(withoutEnd.paidUsdc)));
  }
  const gain = gainOf(cameBack, language);
  return {
    sum: words.sum(usdc(backUsdc), usdc(paidUsdc)),
    lines: presentParts(gain, ...smallPrint(...basis)),
  };
}

function gainOf(
  { sign, gainUsdc, paidUsdc, withoutEnd }: CameBack,
  language: Language,
): string | undefined {
  if (gainUsdc === null) return undefined;
  const gain = gainText(gainUsdc, paidUsdc, language, language.format.roundUsdc);
  const canGrow = sign === '+' && withoutEnd.markets > 0;
  return canGrow ? language.texts.card.cameBack.atLeast(gain) : gain;
}
