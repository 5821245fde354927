import type { Machine } from '../lib/machine.ts';
import type { Store } from '../store/store.ts';
import type { AlertSources } from './builder/audience.ts';
import { createAlertBuilder } from './builder/build.ts';
import { createCatchUp } from './catch-up.ts';
import { createDecisions } from './decisions.ts';
import { newAlerts } from './new-alerts.ts';
import { createOutbox } from './outbox.ts';
import type { OutboxParts } from './outbox-parts.ts';
import { createReceiverOutbox, type RouteToReceivers } from './receiver-outbox.ts';
import { createWaitingAlerts } from './waiting-alerts.ts';
import type { PostedDocuments } from './wallets/posted-documents.ts';
import { createWalletDocuments } from './wallets/wallet-documents.ts';
import { createWalletIndex } from './wallets/wallet-index.ts';

/** Destinations of alerts, and of the knowledge stored with them. */
interface Destinations {
  readonly store: Pick<Store, 'get' | 'set' | 'delete'>;
  readonly posted: PostedDocuments;
  /** Decides which alerts are sent to receivers outside Discord. If it is left out, none are. */
  readonly routeToReceivers?: RouteToReceivers | undefined;
}

/**
 * Creates everything between a page and a channel's queue: index, builder, decisions, outbox and
 * catch-up.
 */
export function createAlerts(machine: Machine, parts: AlertSources & Destinations) {
  const walletIndex = createWalletIndex(parts);
  const alertBuilder = createAlertBuilder({ ...parts, walletIndex });
  const { registry } = parts;
  const decisions = createDecisions((channelId) => registry.ofChannel(channelId)[0]?.ownerId ?? '');
  return {
    walletIndex,
    alertBuilder,
    decisions,
    ...connectOutbox(machine, { ...parts, walletIndex, decisions, builder: alertBuilder }),
  };
}

/** Creates the outbox and catch-up on top of the wallets' documents. */
export function connectOutbox(
  machine: Machine,
  parts: Destinations & Pick<OutboxParts, 'walletIndex' | 'builder' | 'decisions'>,
) {
  const receiverOutbox = createReceiverOutbox(machine, parts.routeToReceivers);
  const { isLater } = parts.builder;
  const documents = createWalletDocuments(machine, {
    ...parts,
    anew(wallet) {
      const begun = parts.builder.anew(wallet);
      const outbox = newAlerts(begun.alerts, [], isLater);
      return { state: receiverOutbox.add(wallet, begun.state, begun), outbox };
    },
    lostIn: (wallet, channelIds) =>
      newAlerts(parts.builder.lostIn(wallet, channelIds), [], isLater),
  });
  const shared = {
    ...parts,
    documents,
    receiverOutbox,
    waiting: createWaitingAlerts(),
  };
  const catchUp = createCatchUp(machine, shared);
  return { catchUp, outbox: createOutbox(machine, { ...shared, catchUp }) };
}
