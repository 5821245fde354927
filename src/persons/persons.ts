import type { Logger } from 'pino';
import type { DeliveryWorker } from '../delivery/worker.ts';
import type { Admission } from '../discord/guilds/admission.ts';
import { type ChannelEndDeps, channelsOf, endChannel } from '../discord/guilds/end-channel.ts';
import type { WalletAddress } from '../domain/address.ts';
import type { LanguageTag } from '../language/language.ts';
import { createKeyedMutex } from '../lib/keyed-mutex.ts';
import type { PagerStore } from '../lookups/pager-store.ts';
import { personOf, personOwner } from '../watches/owner.ts';
import type { Registry } from '../watches/registry.ts';
import type { RestingOwners } from '../watches/resting-owners.ts';
import type { Imports } from '../watches/transfer/imports.ts';
import { announcingFrom } from '../watches/watch.ts';
import type { Person, PersonDocuments } from './documents.ts';
import type { FirstMessage } from './greeting.ts';

/** Days after which a person is forgotten whom the bot cannot write to. */
export const BLOCKED_DAYS = 30;
const BLOCKED_MS = BLOCKED_DAYS * 86_400_000;
const UPDATE_MS = 3_600_000;

export interface PersonsDeps extends Omit<ChannelEndDeps, 'registry' | 'deliveryWorker'> {
  readonly documents: PersonDocuments;
  readonly registry: Registry;
  readonly deliveryWorker: Pick<DeliveryWorker, 'forget' | 'block' | 'unblock'>;
  readonly pagers: Pick<PagerStore, 'forget'>;
  readonly imports: Pick<Imports, 'forget'>;
  readonly resting: RestingOwners;
  readonly admission: Pick<Admission, 'isServed'>;
  /** Takes what is of channels that no longer watch the wallet out of its document. */
  readonly pruneWallet: (wallet: WalletAddress) => Promise<void>;
  /** Sends a first message. @throws UserError if it cannot be sent */
  readonly greet: (message: FirstMessage) => Promise<void>;
  /** Local wall clock, epoch ms. */
  readonly nowMs: () => number;
  /** Venue clock, Unix seconds. */
  readonly venueNowSeconds: () => number;
  readonly log: Logger;
}

/** People who have watches for themselves. */
export interface Persons {
  /** Does a person's work after what is under way for the same person. */
  alone<Result>(personId: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Makes sure that the bot can write to a person: with a first message, unless one has arrived and nothing was refused since.
   *
   * @throws {UserError} that says what to do if it cannot; nothing is stored then
   */
  greet(message: FirstMessage & { readonly personId: string }): Promise<void>;
  /** A person uses the bot: its language is noted, and what it could not be sent is tried again. */
  seen(personId: string, language: LanguageTag): Promise<void>;
  /** Deletes all that is stored of a person. */
  forget(personId: string): Promise<void>;
  /** Forgets people who cannot be written to for long, or have nothing left; wakes those who are served again. */
  update(): Promise<void>;
  /** Updates at once and every hour. @returns stops it */
  start(): () => void;
}

export function createPersons(deps: PersonsDeps): Persons {
  const { documents, registry, deliveryWorker, resting, nowMs, log } = deps;
  const mutex = createKeyedMutex();

  const forget = async (personId: string) => {
    const ownerId = personOwner(personId);
    const person = documents.get(personId);
    const channelIds = new Set([...channelsOf(deps, ownerId), ...(person === undefined ? [] : [person.channelId])]);
    const wallets = new Set([...registry.ofOwner(ownerId), ...registry.restingOf(ownerId)].map(({ wallet }) => wallet));
    await deps.imports.forget(ownerId);
    await registry.endResting(ownerId);
    for (const channelId of channelIds) await endChannel(deps, channelId);
    for (const wallet of wallets) if (registry.isNeeded(wallet)) await deps.pruneWallet(wallet);
    await deps.detailsRecords.forget({ ownerId });
    await deps.pagers.forget(ownerId);
    await resting.delete(ownerId);
    await documents.delete(personId);
    log.info({ event: 'person.forgotten', channels: [...channelIds] });
  };

  /** What happened meanwhile is not announced. */
  const wake = async (ownerId: string) => {
    const nowSeconds = Math.floor(deps.venueNowSeconds());
    await registry.wake(
      ownerId,
      (watch) => announcingFrom(watch, nowSeconds),
      () => resting.delete(ownerId),
    );
  };

  const updatePerson = async ({ personId, channelId }: Person) => {
    const block = deliveryWorker.block(channelId);
    if (block !== null && nowMs() - block.sinceMs > BLOCKED_MS) return forget(personId);
    if (channelsOf(deps, personOwner(personId)).size === 0) await documents.delete(personId);
  };

  const update = async () => {
    for (const { ownerId } of resting.all()) {
      const personId = personOf(ownerId);
      if (personId !== null && deps.admission.isServed(ownerId)) await mutex.run(personId, () => wake(ownerId));
    }
    for (const person of documents.all()) await mutex.run(person.personId, () => updatePerson(person));
  };

  return {
    alone: mutex.run,
    async greet({ personId, channelId, attempt, language }) {
      const known = documents.get(personId);
      const isReached = deliveryWorker.block(channelId) === null && !documents.isDoubted(channelId);
      if (known?.channelId === channelId && isReached) return;
      await deps.greet({ channelId, attempt, language });
      documents.trust(channelId);
      await documents.set({ version: 1, personId, channelId, language: language.tag });
      await deliveryWorker.unblock(channelId);
    },
    seen: (personId, language) =>
      mutex.run(personId, async () => {
        const known = documents.get(personId);
        if (known === undefined) return;
        if (known.language !== language) await documents.set({ ...known, language });
        if (deliveryWorker.block(known.channelId) !== null) documents.doubt(known.channelId);
        await deliveryWorker.unblock(known.channelId);
      }),
    forget,
    update,
    start() {
      const attempt = () => {
        update().catch((error: unknown) => log.error({ event: 'persons.not_updated', err: error }));
      };
      attempt();
      const timer = setInterval(attempt, UPDATE_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}
