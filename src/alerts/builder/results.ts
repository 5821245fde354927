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
 * Returns alerts with the results of purchases, for the channels that were alerted to them.
 * @param watches the wallet's watches
 * @param seenSecondsOf when a result was seen, by the venue's clock in Unix seconds
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
 * Updates the tracked purchases by one alert, and returns the results this brings.
 * @param isUncertain whether it is unknown how much of the purchases in its market is being sold
 * @param questions open questions to the venue; sales in their markets count once they are answered
 * @param isLater whether a channel is delayed
 */
export function updateByAlert(
  before: AlertedPositions,
  { id, event, channels }: NewAlert,
  isUncertain: boolean,
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
  if (isUncertain && !isAsked) {
    return { alertedPositions: giveUp(alertedPositions, new Set([own])), results: [] };
  }
  const isSale = item.action === 'Sell' || item.action === 'Redeem';
  if (context === undefined || !isSale) return { alertedPositions, results: [] };
  return addSale(alertedPositions, item, context);
}
