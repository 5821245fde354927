import type { WalletAddress } from '../../domain/address.ts';
import { entryKeys } from '../../portfolio/market.ts';
import type { OpenQuestion } from '../../portfolio/positions/question.ts';
import {
  type AlertedPositions,
  addPurchase,
  addSale,
  giveUp,
  type Updated,
} from '../../portfolio/results/alerted-positions.ts';
import { isPaused, type Watch } from '../../watches/watch.ts';
import { alertId } from '../alert.ts';
import type { NewAlert } from '../wallets/wallet-document.ts';

/**
 * Alerts of what came of purchases, for the channels that were told of them.
 *
 * @param watches of the wallet
 * @param seenSecondsOf when a result was seen, by the venue's clock, Unix seconds
 */
export function resultAlerts(
  wallet: WalletAddress,
  results: Updated['results'],
  watches: readonly Watch[],
  seenSecondsOf: (result: Updated['results'][number]) => number,
): NewAlert[] {
  const watchOf = new Map(watches.map((watch) => [watch.channelId, watch]));
  return results.map((found): NewAlert => {
    const { channelId, result } = found;
    const atSeconds = seenSecondsOf(found);
    const { key, openedSeconds, closedSeconds, messageId } = result;
    const watch = watchOf.get(channelId);
    const isQuiet = watch === undefined || isPaused(watch, atSeconds);
    const about = [wallet, 'result', channelId, key, openedSeconds, closedSeconds];
    return {
      id: alertId([...about, messageId ?? '']),
      event: { kind: 'result', result },
      seenAtMs: atSeconds * 1000,
      channels: isQuiet ? [] : [channelId],
    };
  });
}

/**
 * Updates the followed purchases by one alert, and finds the results that it gives.
 *
 * @param isDoubtful whether nobody can tell what is sold of the purchases in its market
 * @param questions on markets of which the venue will tell: their sales count once it has
 * @param isLater whether a channel hears later
 */
export function updateByAlert(
  before: AlertedPositions,
  { id, event, channels }: NewAlert,
  isDoubtful: boolean,
  questions: readonly OpenQuestion[],
  isLater: (channelId: string) => boolean,
): Updated {
  if (event.kind !== 'activity') return { alertedPositions: before, results: [] };
  const { item, context } = event;
  const own = entryKeys(item).market;
  const isAsked = questions.some(({ market }) => market === own);
  const isAlertedPurchase = item.action === 'Buy' && channels.length > 0;
  const alertedPositions = isAlertedPurchase
    ? addPurchase(before, { alertId: id, item, channels, isLater })
    : before;
  if (isDoubtful && !isAsked) {
    return { alertedPositions: giveUp(alertedPositions, own), results: [] };
  }
  const isSale = item.action === 'Sell' || item.action === 'Redeem';
  if (context === undefined || !isSale) return { alertedPositions, results: [] };
  return addSale(alertedPositions, item, context);
}
