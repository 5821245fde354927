import type { WalletAddress } from '../domain/address.ts';
import { OperatorError, reasonOf } from '../lib/error.ts';
import type { Ops } from '../ops/ops.ts';
import { StoreUnfit } from '../store/error.ts';
import { standbyFault } from '../store/store.ts';
import { createVenueClient } from '../venue/client.ts';
import { createBudget } from '../venue/rate-limit/budget.ts';
import { CLOCKS, type Given } from './context.ts';

/** A standby that could not take over looks again after this, ms; one that could, later. */
const TROUBLE_EVERY_MS = 30_000;
const READY_EVERY_MS = 10 * 60_000;
const ANSWER_LIMIT_MS = 10_000;
/** Of whose records one is asked for, to see whether the venue serves the key. */
const NOBODY = `0x${'0'.repeat(40)}` as WalletAddress;

/**
 * Looks whether a process that waits for its store could take over: whether the store is one of its
 * own format that has not moved, Discord knows its token, and the venue shows it a page. It looks
 * again while it waits.
 *
 * @param given `onFatal` ends the process: Discord refuses the token, or the store has moved or is
 *   of another format
 */
export function createStandby(
  { config, log, redact, onFatal }: Given,
  ops: Pick<Ops, 'standbyLooked'>,
) {
  const stopping = new AbortController();
  const machine = { ...CLOCKS, log, onFailpoint: () => {} };

  /**
   * Why it could not take over; null if it could. @throws {OperatorError} what would end it at its
   * start
   */
  const look = async (isFirst: boolean): Promise<string | null> => {
    const fault = await standbyFault(config.STORE_URL, config.sharding).catch((error: unknown) => {
      if (isFirst && error instanceof StoreUnfit) throw error;
      return { reason: reasonOf(error), isFinal: false };
    });
    if (fault !== null && (isFirst || fault.isFinal)) throw new StoreUnfit(fault.reason);
    return fault?.reason ?? (await discordFault()) ?? (await venueFault());
  };

  const discordFault = async (): Promise<string | null> => {
    if (config.ROLE === 'feed') return null;
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]);
    // A feed never loads discord.js.
    const { discordTrouble } = await import('./standby-discord.ts');
    return discordTrouble({ config, redact }, signal);
  };

  const venueFault = async (): Promise<string | null> => {
    if (config.ROLE === 'bot') return null;
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

  const lookAndTell = async (isFirst: boolean): Promise<number> => {
    const trouble = await look(isFirst);
    if (stopping.signal.aborted) return 0;
    ops.standbyLooked(trouble);
    if (trouble === null) log.info({ event: 'standby.ready' });
    else log.warn({ event: 'standby.not_ready', reason: trouble });
    return trouble === null ? READY_EVERY_MS : TROUBLE_EVERY_MS;
  };

  const goOn = async (firstDelayMs: number) => {
    for (let delayMs = firstDelayMs; !stopping.signal.aborted; ) {
      await CLOCKS.sleep(delayMs, stopping.signal);
      if (!stopping.signal.aborted) delayMs = await lookAndTell(false);
    }
  };

  return {
    /**
     * Looks for the first time, and goes on looking. @throws {OperatorError} what would end a start
     */
    async begin(): Promise<void> {
      const delayMs = await lookAndTell(true);
      goOn(delayMs).catch((error: unknown) => {
        log.fatal({ event: 'standby.unfit', reason: reasonOf(error) });
        onFatal(error instanceof OperatorError ? error.exitCode : 1);
      });
    },
    /** It has the store, or is not wanted any more. */
    stop: () => stopping.abort(),
  };
}
