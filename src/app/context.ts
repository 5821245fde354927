import { setTimeout as delay } from 'node:timers/promises';
import type { Machine } from '../lib/machine.ts';
import type { Ops } from '../ops/ops.ts';
import { shownStore } from '../store/address.ts';
import type { StoreError } from '../store/error.ts';
import { awaitStore, openStore, type Store } from '../store/store.ts';
import type { Config } from './config.ts';

/** What every part is built with. */
export interface AppContext extends Machine {
  readonly config: Config;
  readonly redact: (text: string) => string;
  readonly onFatal: (exitCode: number) => void;
  readonly ops: Ops;
  /** Aborts when the process stops. */
  readonly signal: AbortSignal;
}

/** What a process is started with. */
export type Given = Pick<AppContext, 'config' | 'log' | 'redact' | 'onFatal'>;

/** A process at work. */
export interface Running {
  /** Stops each part. @throws AggregateError, after all of them, if some could not be stopped in order */
  stop(): Promise<void>;
}

export const nowMs = Date.now;
export const monotonicMs = () => performance.now();
export const random = Math.random;
export const sleep = (delayMs: number, signal: AbortSignal) =>
  delay(Math.max(0, delayMs), undefined, { signal }).catch(() => {});

/** Opens the store; a standby waits until it is free. */
export async function takeStore({ config, log, onFatal }: Given): Promise<Store> {
  const { storeUrl, isStandby, sharding: shards } = config;
  const options = {
    shards,
    onWarning: (reason: string) => log.warn({ event: 'store.warning', reason }),
    onLost(error: StoreError) {
      log.fatal({ event: 'store.lost', err: error });
      onFatal(1);
    },
  };
  if (!isStandby) return openStore(storeUrl, options);
  const beganMs = monotonicMs();
  const store = await awaitStore(storeUrl, options, {
    onWaiting: () => log.info({ event: 'standby.waiting', store: shownStore(storeUrl) }),
    onFailure: (error) => log.warn({ event: 'standby.store_failed', err: error }),
    sleep: (delayMs) => delay(delayMs),
  });
  log.info({ event: 'standby.taking_over', waitedSeconds: Math.round((monotonicMs() - beganMs) / 1000) });
  return store;
}

/** Takes each step, also after one that fails. @throws AggregateError, after all of them, if some have failed */
export async function stopInOrder(steps: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps)
    await Promise.resolve()
      .then(step)
      .catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, 'A part could not be stopped in order.');
}
