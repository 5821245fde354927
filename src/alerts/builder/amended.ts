import type { WalletAddress } from '../../domain/address.ts';
import { type ActivityItem, activityFigures, withFigures } from '../../domain/records.ts';
import { amendKnowledge } from '../../portfolio/amend.ts';
import type { WalletKnowledge } from '../../portfolio/wallet-knowledge.ts';
import type { Watch } from '../../watches/watch.ts';
import { alertId, recordAlertId } from '../alert.ts';
import type { Detection } from '../detect.ts';
import { type AmendedEvent, isChangeShown } from '../kinds/amended.ts';
import type { NewAlert } from '../wallets/wallet-document.ts';

/** A page with records that the venue has changed. */
interface SeenChanged {
  readonly wallet: WalletAddress;
  readonly detection: Pick<Detection<ActivityItem>, 'amended'>;
  readonly nowSeconds: number;
}

/** Copies of one record whose alerts are looked for. */
const OCCURRENCES = [1, 2, 3];

/** The knowledge with records as the venue lists them now that had been counted otherwise. */
export function amended(
  knowledge: WalletKnowledge,
  {
    wallet,
    detection,
    nowSeconds,
    boundaries,
  }: SeenChanged & { readonly boundaries: readonly number[] },
): WalletKnowledge {
  let known = knowledge;
  for (const { item, figures, identities } of detection.amended) {
    const alertIds = identities.flatMap((identity) =>
      OCCURRENCES.map((occurrence) => recordAlertId(wallet, 'activity', identity, occurrence)),
    );
    const amendment = {
      before: withFigures(item, figures),
      after: item,
      alertIds: new Set(alertIds),
    };
    known = amendKnowledge(known, amendment, nowSeconds, boundaries);
  }
  return known;
}

/**
 * Makes an alert of each record that the venue has changed: for all watches, of which those get it
 * whose channels were sent the record's alert. For nobody where nothing of it shows, or where the
 * record is as it was before: then each channel has read both.
 */
export function amendedAlerts(
  { wallet, detection, nowSeconds }: SeenChanged,
  watches: readonly Watch[],
): NewAlert[] {
  return detection.amended.map(({ item, figures, identities, isAsBefore }): NewAlert => {
    const { quantity, transferNetAmount } = withFigures(item, figures);
    const event: AmendedEvent = {
      kind: 'amended',
      item,
      before: { quantity, transferNetAmount },
      identities,
      atSeconds: Math.floor(nowSeconds),
    };
    const isTold = !isAsBefore && isChangeShown(event);
    return {
      id: alertId([wallet, 'amended', ...identities, ...figures, ...activityFigures(item)]),
      event,
      seenAtMs: nowSeconds * 1000,
      channels: isTold ? watches.map(({ channelId }) => channelId) : [],
    };
  });
}
