import type { Gap } from '../alerts/alert.ts';
import type { Failure } from '../delivery/failures.ts';
import type { PollOutcome } from '../feed/poller.ts';
import type { EndpointName } from '../venue/schema.ts';

export type SendOutcome = 'sent' | Failure['kind'];
export type CommandOutcome = 'ok' | 'refused' | 'failed';
export type StoreOperation = 'get' | 'set' | 'delete';

/** What a message that has arrived has told. */
export interface Arrival {
  /** Null if the watch has gone meanwhile. */
  readonly guildId: string | null;
  /** From each record's time to the answer to its message, by the venue's clock. */
  readonly delaysSeconds: readonly number[];
  /** Notices that something may be missing. */
  readonly gaps: readonly Gap['cause'][];
}

/** Is told what happens, and changes nothing. */
export interface Observer {
  /** A tick has planned this many requests until then, epoch ms. */
  ticked(requests: number, untilMs: number): void;
  polled(endpoint: EndpointName, outcome: PollOutcome): void;
  /** More had arrived than a first page shows. */
  gapFound(endpoint: EndpointName): void;
  /** A message for a channel has been answered, or has failed. */
  sent(outcome: SendOutcome, durationSeconds: number): void;
  arrived(arrival: Arrival): void;
  stored(operation: StoreOperation, isDone: boolean, durationSeconds: number): void;
  /** @param command as it is typed, without its options: `watch add` */
  commanded(command: string, outcome: CommandOutcome, durationSeconds: number): void;
  heartbeat(isDone: boolean): void;
}

/** Tells each of them, in their order. */
export function toEach(observers: readonly Observer[]): Observer {
  return {
    ticked(...what) {
      for (const observer of observers) observer.ticked(...what);
    },
    polled(...what) {
      for (const observer of observers) observer.polled(...what);
    },
    gapFound(...what) {
      for (const observer of observers) observer.gapFound(...what);
    },
    sent(...what) {
      for (const observer of observers) observer.sent(...what);
    },
    arrived(...what) {
      for (const observer of observers) observer.arrived(...what);
    },
    stored(...what) {
      for (const observer of observers) observer.stored(...what);
    },
    commanded(...what) {
      for (const observer of observers) observer.commanded(...what);
    },
    heartbeat(...what) {
      for (const observer of observers) observer.heartbeat(...what);
    },
  };
}

/** For observers that care for a few things only. */
export const SILENT: Observer = {
  ticked() {},
  polled() {},
  gapFound() {},
  sent() {},
  arrived() {},
  stored() {},
  commanded() {},
  heartbeat() {},
};
