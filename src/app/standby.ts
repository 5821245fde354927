import type { WalletAddress } from '../domain/address.ts';
import { OperatorError, reasonOf } from '../lib/error.ts';
import { createMachine } from '../lib/machine.ts';
import type { Ops } from '../ops/ops.ts';
import { StoreUnfit } from '../store/error.ts';
import { lookForStandby, type OpenOptions } from '../store/store.ts';
import { createVenueClient } from '../venue/client.ts';
import { createBudget } from '../venue/rate-limit/budget.ts';
import type { Given } from './context.ts';

/** Intervals of checks, in ms: while the standby could not take over, and while it could. */
const TROUBLE_EVERY_MS = 30_000;
const READY_EVERY_MS = 10 * 60_000;
const ANSWER_LIMIT_MS = 10_000;
/** Wallet that is requested to check whether the venue accepts the key. */
const NOBODY = `0x${'0'.repeat(40)}` as WalletAddress;

/**
 * Checks whether a process that waits for its store could take over: the store is readable and has
 * not moved, Discord accepts the token, and the venue returns a page. Repeats the check while it
 * waits.
 *
 * @param given `onFatal` ends the process if Discord rejects the token, or the store has moved or
 *   cannot be read
 */
export function createStandby(given: Given, ops: Ops, options: OpenOptions) {
  const { config, log, redact, onFatal } = given;
  const stopping = new AbortController();
  const machine = createMachine(log);

  /**
   * Checks whether the standby could take over. `trouble` says why it could not (null if it could);
   * `conversion` says how it would convert the store first.
   *
   * @throws {OperatorError} for a fault that would end the start
   */
  const look = async (isFirst: boolean) => {
    const { STORE_URL: url } = config;
    const found = await lookForStandby(url, options, isFirst).catch((error: unknown) => {
      if (isFirst && error instanceof StoreUnfit) throw error;
      return { reason: reasonOf(error), isFinal: false, conversion: null };
    });
    const { reason, isFinal, conversion } = found;
    // A disk without space for a copy may get it later.
    const endsStart = isFinal || (isFirst && conversion === null);
    if (reason !== null && endsStart) throw new StoreUnfit(reason);
    const trouble = reason ?? (await discordFault()) ?? (await venueFault());
    return { trouble, conversion };
  };

  const discordFault = async (): Promise<string | null> => {
    if (config.ROLE === 'feed') return null;
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]);
    // A feed never loads discord.js.
    const { discordTrouble } = await import('./standby-discord.ts');
    return discordTrouble(given, signal);
  };

  const venueFault = async (): Promise<string | null> => {
    // A gateway to Polymarket starts only once this process works.
    if (config.ROLE === 'bot' || config.polymarket !== null) return null;
    const { VENUE_BASE_URL: baseUrl, VENUE_API_KEY: apiKey, BUDGET_SHARE: share } = config;
    const client = createVenueClient(machine, {
      baseUrl,
      apiKey,
      budget: createBudget(machine, { share }),
    });
    try {
      await client.activity(NOBODY, { limit: 1 }, { priority: 'person' });
      return null;
    } catch (error) {
      return redact(reasonOf(error));
    } finally {
      await client.close();
    }
  };

  const checkAndLog = async (isFirst: boolean): Promise<number> => {
    const { trouble, conversion } = await look(isFirst);
    if (stopping.signal.aborted) return 0;
    ops.standbyLooked(trouble, conversion);
    const store = conversion === null ? {} : { store: conversion };
    if (trouble === null) log.info({ event: 'standby.ready', ...store });
    else log.warn({ event: 'standby.not_ready', reason: trouble, ...store });
    return trouble === null ? READY_EVERY_MS : TROUBLE_EVERY_MS;
  };

  const goOn = async (firstDelayMs: number) => {
    for (let delayMs = firstDelayMs; !stopping.signal.aborted; ) {
      await machine.sleep(delayMs, stopping.signal);
      if (!stopping.signal.aborted) delayMs = await checkAndLog(false);
    }
  };

  return {
    /**
     * Checks for the first time, then repeatedly.
     *
     * @throws {OperatorError} for a fault that would end a start
     */
    async begin(): Promise<void> {
      const delayMs = await checkAndLog(true);
      goOn(delayMs).catch((error: unknown) => {
        log.fatal({ event: 'standby.unfit', reason: reasonOf(error) });
        onFatal(error instanceof OperatorError ? error.exitCode : 1);
      });
    },
    /** Stops checking, because the process has the store or is stopping. */
    stop: () => stopping.abort(),
  };
}
