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
  readonly detection: Detection<ActivityItem>;
  readonly nowSeconds: number;
}

/** Numbers of the copies of a record whose alerts are searched for. */
const OCCURRENCES = [1, 2, 3];

/** Returns the knowledge with changed records counted as the venue lists them now. */
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
 * Creates an alert for each record that the venue has changed. It names all watches, but only
 * channels that were sent the record's alert receive it. It names none if the change is not
 * visible, or if the record is as it was before, because each channel has then read both versions.
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
    const isAlerted = !isAsBefore && isChangeShown(event);
    return {
      id: alertId([wallet, 'amended', ...identities, ...figures, ...activityFigures(item)]),
      event,
      seenAtMs: nowSeconds * 1000,
      channels: isAlerted ? watches.map(({ channelId }) => channelId) : [],
    };
  });
}
