import type { AlertBuilder } from './builder/build.ts';
import type { Decisions } from './decisions.ts';
import type { ReceiverOutbox } from './receiver-outbox.ts';
import type { WaitingAlerts } from './waiting-alerts.ts';
import type { WalletDocuments } from './wallets/wallet-documents.ts';
import type { WalletIndex } from './wallets/wallet-index.ts';

/** Parts that every change to a wallet's documents goes through. */
export interface OutboxParts {
  readonly documents: WalletDocuments;
  readonly waiting: WaitingAlerts;
  readonly walletIndex: WalletIndex;
  /** Determines what a change brings; stores and notes nothing. */
  readonly builder: AlertBuilder;
  readonly decisions: Decisions;
  readonly receiverOutbox: ReceiverOutbox;
}
