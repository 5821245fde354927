import { LRUCache } from 'lru-cache';
import type { Outbox } from '../../src/alerts/outbox.ts';
import type { FirstReading } from '../../src/alerts/wallets/first-reading.ts';
import type { WalletIndex } from '../../src/alerts/wallets/wallet-index.ts';
import type { ChartRenderer } from '../../src/charts/render.ts';
import type { Why } from '../../src/delivery/why.ts';
import type { DeliveryWorker } from '../../src/delivery/worker.ts';
import { createAlertFillsLookup } from '../../src/details/alert-fills.ts';
import type { DetailsRecords } from '../../src/details/records.ts';
import type { Digest } from '../../src/digests/documents.ts';
import type { Gateway } from '../../src/discord/gateway/gateway.ts';
import { registrySeenBy, watchesForAll } from '../../src/discord/permissions.ts';
import { placeOf, threadParent } from '../../src/discord/place.ts';
import { spendingFrom } from '../../src/discord/quotas/lookup-share.ts';
import type { Quotas } from '../../src/discord/quotas/quotas.ts';
import { createWorkTurns } from '../../src/discord/quotas/work-turns.ts';
import type { Refusals } from '../../src/discord/requests/refusals.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { type ActivityItem, ENDPOINT_NAMES, type TransferItem } from '../../src/domain/records.ts';
import type { Links } from '../../src/embeds/links.ts';
import type { Feed } from '../../src/feed/interface.ts';
import type { Language, LanguageFor } from '../../src/language/language.ts';
import type { Later } from '../../src/later/later.ts';
import type { Machine } from '../../src/lib/machine.ts';
import { RELEASE } from '../../src/lib/release.ts';
import { createPageScanCache } from '../../src/lookups/page-scan.ts';
import type { PagerStore } from '../../src/lookups/pager-store.ts';
import type { Ops } from '../../src/ops/ops.ts';
import type { Persons } from '../../src/persons/persons.ts';
import type { WalletKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import type { AnyUse } from '../../src/slash-commands/slash-command.ts';
import type { Collection } from '../../src/store/collection.ts';
import type { Changes, Made } from '../../src/watches/changes.ts';
import type { ChannelClock } from '../../src/watches/channel-clock.ts';
import type { ChannelSettingsStore } from '../../src/watches/channel-settings.ts';
import type { KeptDeed } from '../../src/watches/forms/kept-deed.ts';
import { personOf, personOwner } from '../../src/watches/owner.ts';
import type { Payers } from '../../src/watches/payers.ts';
import type { Registry } from '../../src/watches/registry.ts';
import type { Imports } from '../../src/watches/transfer/imports.ts';
import { isLeaving } from '../../src/watches/watch.ts';
import type { ToConfirm } from './answer.ts';
import { createHeldTogether } from './held-together.ts';
import { createKept } from './kept.ts';
import { labelIn } from './wallet-names.ts';

const ASKED_FOR = 50_000;

interface Parts
  extends Pick<WalletIndex, 'accountsFor' | 'held' | 'keptRecordFor' | 'rankedIn' | 'recordFor'> {
  readonly registry: Registry;
  readonly channelSettings: ChannelSettingsStore;
  readonly digests: Collection<Digest>;
  readonly changes: Changes;
  readonly pagers: PagerStore;
  readonly detailsRecords: DetailsRecords;
  readonly feed: Feed;
  readonly outbox: Outbox;
  readonly firstReading: Pick<FirstReading, 'leftOf'>;
  readonly later: Pick<Later, 'unreleasedRecords' | 'waitingFor'>;
  readonly clock: ChannelClock;
  readonly alertsOut: { readonly hasReceiver: (ownerId: string) => boolean };
  /** Reads the stored data of a wallet that some server watches; undefined if there is none. */
  readonly knowledge: (wallet: WalletAddress) => Promise<WalletKnowledge | undefined>;
  readonly deliveryWorker: DeliveryWorker;
  readonly why: Why;
  readonly gateway: Gateway;
  readonly refusals: Pick<Refusals, 'ofOwner'>;
  readonly quotas: Quotas;
  readonly payers: Pick<Payers, 'accountOf'>;
  readonly imports: Imports;
  readonly persons: Persons;
  readonly charts: ChartRenderer;
  readonly links: Links;
  /** The language of a channel, for messages that are not for one person. */
  readonly languageOf: (channelId: string) => Language;
  /** The language of a person, from Discord's locale. */
  readonly languageFor: LanguageFor;
  readonly ops: Ops;
}

/**
 * Services of a command for the person who acts. `registry` contains only watches that the person
 * may know about, and requests through `venue` count towards the share of the person's server, or
 * their own.
 */
export type CommandContext = ReturnType<ReturnType<typeof contextFor>>;

/** Creates the services of all commands, restricted to what the person who acts may use. */
export function contextFor(machine: Machine, parts: Parts) {
  const { log, nowMs, monotonicMs } = machine;
  const { registry, quotas } = parts;
  const { lookups, budget } = parts.feed;
  const { accountOf } = parts.payers;
  const { inTurn } = createWorkTurns();
  /** Returns the venue's clock in Unix seconds, or this machine's if the venue's is unknown. */
  const venueNowSeconds = () => budget.venueNowMs() / 1000;
  const services = {
    ...parts,
    /**
     * Time when a server's people, or a person in direct messages, last asked about a wallet, in
     * epoch ms. Only used to order suggestions.
     */
    askedForMs: new LRUCache<string, number>({ max: ASKED_FOR }),
    /** Changes that need confirmation, by what was typed. */
    askedTwice: createKept<ToConfirm>(machine),
    /** Actions of settings panels' buttons that do not fit in their custom ids. */
    kept: createKept<KeptDeed>(machine),
    alertFills: createAlertFillsLookup(lookups, monotonicMs, accountOf),
    heldTogether: createHeldTogether(parts.held),
    /** The lists that people are paging through. */
    scans: {
      activity: createPageScanCache<ActivityItem>(),
      flows: createPageScanCache<TransferItem>(),
    },
    venueNowSeconds,
    nowMs,
    log,
  };
  return (interaction: AnyUse) => {
    /** The place where the person is, and the owner whose watches count there. */
    const place = placeOf(interaction);
    const { ownerId } = place;
    const { id: personId } = interaction.user;
    const budget = quotas.lookups(ownerId);
    const account = accountOf(ownerId);
    /**
     * True in a delayed channel and its threads, where people would otherwise read the current
     * state.
     */
    const isLaterHere = [interaction.channelId, threadParent(interaction)].some(
      (id) => id !== null && parts.clock.isLater(id),
    );
    return {
      ...services,
      /** The command, press or form that is being answered. */
      interaction,
      place,
      isLaterHere,
      personId,
      /** Returns the bot's status for the server, or the person. */
      status: () => statusOf(parts, ownerId),
      registry: registrySeenBy(interaction, registry),
      /** Notes the changes that the person made in a server, once they are stored. */
      noteChanges: (ofOwner: string, made: readonly Made[]) =>
        parts.changes.note(ofOwner, personId, made),
      /**
       * True if the person is offered alerts for themselves. Not offered in their direct messages,
       * nor in delayed channels.
       */
      mayFollow:
        place.kind !== 'directMessage' && !isLaterHere && quotas.isServed(personOwner(personId)),
      /**
       * Returns a wallet's watches that may be mentioned to everyone who reads the answer; in a
       * server, everyone in the channel.
       */
      watchesForAll: (wallet: WalletAddress) => watchesForAll(interaction, place, registry, wallet),
      /**
       * Returns a wallet's label that everyone in the channel may read, in this channel or the
       * given one. Null without a label.
       * @param typed how the person named the wallet; empty if they did not
       */
      labelOf(wallet: WalletAddress, typed: string, channelId = interaction.channelId) {
        const { guild } = interaction;
        return labelIn(
          watchesForAll({ channelId, guild }, place, registry, wallet),
          channelId,
          typed,
        );
      },
      /**
       * Returns the proxy address of a wallet, if the venue says that it trades under one;
       * otherwise null.
       */
      proxyOf: (wallet: WalletAddress) => parts.feed.proxyOf(wallet, { budget, account }),
      venue: spendingFrom(lookups, budget, account),
      /**
       * Runs work that keeps the processor busy when its turn has come. It must not wait for the
       * network.
       */
      inTurn: <Result>(work: () => Promise<Result>) => inTurn(account, personId, work),
      /** The person's language. */
      language: parts.languageFor(interaction.locale),
    };
  };
}

/** Steps in which the duration of a round is shown, in minutes. */
const ROUND_STEPS = [30, 10, 5, 2] as const;

/**
 * Returns the duration of polling this many endpoints, rounded down so coarsely that it does not
 * reveal what others watch.
 * @returns minutes; null if it is less than two, or the limit is unknown
 */
export function roundStep(
  endpoints: number,
  { allowance, windowMs }: { readonly allowance: number | null; readonly windowMs: number | null },
): number | null {
  if (allowance === null || windowMs === null) return null;
  const minutes = (endpoints * windowMs) / allowance / 60_000;
  return ROUND_STEPS.find((step) => minutes >= step) ?? null;
}

/**
 * Returns the number of seconds by which the venue lists late; null if it does not, or does not
 * answer.
 */
export function lateSeconds({ listing, trouble }: Parts['feed']['availability']): number | null {
  const late = ENDPOINT_NAMES.filter((name) => trouble(name) === null)
    .map(listing)
    .filter((found) => found?.isLate === true);
  return late.length === 0 ? null : Math.max(...late.map((found) => found?.delaySeconds ?? 0));
}

export type Status = ReturnType<typeof statusOf>;

/**
 * Returns the figures of `/watch status` for a person of one server, or in direct messages. For
 * other servers, they include only the number of watches.
 */
function statusOf(
  {
    ops,
    registry,
    firstReading,
    deliveryWorker,
    later,
    clock,
    alertsOut,
    feed,
    gateway,
    refusals,
  }: Parts,
  ownerId: string,
) {
  const { availability, budget } = feed;
  const watches = registry.ofOwner(ownerId).filter((watch) => !isLeaving(watch));
  const open = ENDPOINT_NAMES.filter(availability.isOpen).length;
  const channelIds = [...new Set(watches.map(({ channelId }) => channelId))];
  return {
    version: RELEASE.version,
    uptimeSeconds: ops.uptimeSeconds(),
    ready: ops.readiness.report(),
    /** Epoch ms; null if no poll has succeeded since the start. */
    lastPollMs: ops.readiness.lastPollMs(),
    polls: ops.recent.polls(),
    budget: budget.snapshot(),
    lateSeconds: lateSeconds(availability),
    gatewayPingMs: gateway.pingMs(),
    /** Shards of this process, by id. */
    shards: gateway.shards(),
    /** Id of the server's shard; null if unknown. */
    shardHere: gateway.shardOf(ownerId),
    here: {
      /** True for a person's own watches in direct messages. */
      isPersonal: personOf(ownerId) !== null,
      wallets: new Set(watches.map(({ wallet }) => wallet)).size,
      /** Number of wallets that the start has not read yet. Their waiting alerts are unknown. */
      unread: firstReading.leftOf(ownerId),
      waiting: later.waitingFor(channelIds),
      /** Ids of its delayed channels. */
      laterChannels: channelIds.filter(clock.isLater),
      /** Ids of its channels to which the bot currently cannot post. */
      blockedChannels: channelIds.filter(deliveryWorker.isBlocked),
      deadLetters: channelIds.flatMap(deliveryWorker.deadLetters).length,
      delays: ops.recent.delays(ownerId),
      /** Number of its requests that Discord has rejected in the last ten minutes. */
      refused: refusals.ofOwner(ownerId),
      /** True if its alerts also go to a receiver outside Discord. */
      hasReceiver: alertsOut.hasReceiver(ownerId),
    },
    walletsInAll: [...registry.wallets()].length,
    /** Coarse, because it also reveals something about others' wallets. */
    roundMinutes: roundStep([...registry.wallets()].length * open, budget.snapshot()),
  };
}
