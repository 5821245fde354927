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
  readonly later: Pick<Later, 'waitingFor'>;
  readonly clock: ChannelClock;
  readonly alertsOut: { readonly isHandedOn: (ownerId: string) => boolean };
  /** Reads what is stored of a wallet that some server watches; undefined if nothing. */
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
  /** The language of a channel: for messages that are not for one person. */
  readonly languageOf: (channelId: string) => Language;
  /** The language of a person, by Discord's locale. */
  readonly languageFor: LanguageFor;
  readonly ops: Ops;
}

/**
 * Services of a command for the person who acts: `registry` holds only watches that the person may
 * know, and requests through `venue` count against the share of the person's server, or their own.
 */
export type CommandContext = ReturnType<ReturnType<typeof contextFor>>;

/** Makes the services of all commands, narrowed to those that the person who acts may use. */
export function contextFor(machine: Machine, parts: Parts) {
  const { log, nowMs, monotonicMs } = machine;
  const { registry, quotas } = parts;
  const { lookUps, budget } = parts.feed;
  const { accountOf } = parts.payers;
  const { inTurn } = createWorkTurns();
  /** The venue's clock, Unix seconds; this machine's if it is not known. */
  const venueNowSeconds = () => budget.venueNowMs() / 1000;
  const services = {
    ...parts,
    statusOf: (ownerId: string) => statusOf(parts, ownerId),
    /**
     * Epoch ms at which a server's people, or a person alone, last asked for a wallet: it only
     * orders suggestions.
     */
    askedForMs: new LRUCache<string, number>({ max: ASKED_FOR }),
    /** Changes that are asked for twice, by what was typed. */
    askedTwice: createKept<ToConfirm>(machine),
    /** Work of settings panels' buttons that has no room for it in their custom ids. */
    kept: createKept<KeptDeed>(machine),
    alertFills: createAlertFillsLookup(lookUps, monotonicMs, accountOf),
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
    /**
     * True in a channel that hears later, and in its threads: what holds now would be read there.
     */
    const isLaterHere = [interaction.channelId, threadParent(interaction)].some(
      (id) => id !== null && parts.clock.isLater(id),
    );
    return {
      ...services,
      place,
      isLaterHere,
      personId: interaction.user.id,
      registry: registrySeenBy(interaction, registry),
      /** Notes what the person has changed of a server's, once it is stored. */
      noteChanges: (ownerId: string, made: readonly Made[]) =>
        parts.changes.note(ownerId, interaction.user.id, made),
      /**
       * True where the person is offered alerts for themselves, outside of their direct message:
       * not where people hear later.
       */
      mayFollow:
        place.kind !== 'directMessage' &&
        !isLaterHere &&
        quotas.isServed(personOwner(interaction.user.id)),
      /**
       * A wallet's watches that may be named to whoever reads the answer: in a server everybody in
       * the channel.
       */
      watchesForAll: (wallet: WalletAddress) => watchesForAll(interaction, place, registry, wallet),
      /**
       * Finds the label of a wallet where everybody may read it: in this channel, or the one given.
       * Null without a label.
       *
       * @param typed how the person named it; empty: not at all
       */
      labelOf(wallet: WalletAddress, typed: string, channelId = interaction.channelId) {
        const { guild } = interaction;
        return labelIn(
          watchesForAll({ channelId, guild }, place, registry, wallet),
          channelId,
          typed,
        );
      },
      /** Proxy address of a wallet, if the venue says that it trades under one; else null. */
      proxyOf: (wallet: WalletAddress) =>
        parts.feed.proxyOf(wallet, {
          budget: quotas.lookups(place.ownerId),
          account: accountOf(place.ownerId),
        }),
      venue: spendingFrom(lookUps, quotas.lookups(place.ownerId), accountOf(place.ownerId)),
      /**
       * Does work that keeps the processor busy when its turn has come. It must not wait for the
       * network.
       */
      inTurn: <Result>(work: () => Promise<Result>) =>
        inTurn(accountOf(place.ownerId), interaction.user.id, work),
      /** The person's language. */
      language: parts.languageFor(interaction.locale),
    };
  };
}

/** Steps in which people are told how long a round takes, minutes. */
const ROUND_STEPS = [30, 10, 5, 2] as const;

/**
 * Rounds down how long a poll of so many endpoints takes, so coarsely that nobody reads from it
 * what others watch.
 *
 * @returns minutes; null: less than two, or the limit is not known
 */
export function roundStep(
  endpoints: number,
  { allowance, windowMs }: { readonly allowance: number | null; readonly windowMs: number | null },
): number | null {
  if (allowance === null || windowMs === null) return null;
  const minutes = (endpoints * windowMs) / allowance / 60_000;
  return ROUND_STEPS.find((step) => minutes >= step) ?? null;
}

/** Seconds by which the venue lists late; null if it does not, or does not answer. */
export function lateSeconds({ listing, trouble }: Parts['feed']['availability']): number | null {
  const late = ENDPOINT_NAMES.filter((name) => trouble(name) === null)
    .map(listing)
    .filter((found) => found?.isLate === true);
  return late.length === 0 ? null : Math.max(...late.map((found) => found?.delaySeconds ?? 0));
}

export type Status = ReturnType<typeof statusOf>;

/**
 * Reads the figures of `/watch status` for a person of one server, or outside of them: of others
 * only a count of watches.
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
    /** Epoch ms; null if none has succeeded since the start. */
    lastPollMs: ops.readiness.lastPollMs(),
    polls: ops.recent.polls(),
    budget: budget.snapshot(),
    lateSeconds: lateSeconds(availability),
    gatewayPingMs: gateway.pingMs(),
    /** Shards of this process, by id. */
    shards: gateway.shards(),
    /** Id of the server's shard; null if it is not known. */
    shardHere: gateway.shardOf(ownerId),
    here: {
      /** True for a person's own watches, in a direct message. */
      isPersonal: personOf(ownerId) !== null,
      wallets: new Set(watches.map(({ wallet }) => wallet)).size,
      /** Wallets that the start has not read yet: what waits of them is not known. */
      unread: firstReading.leftOf(ownerId),
      waiting: later.waitingFor(channelIds),
      /** Ids of its channels that hear later. */
      laterChannels: channelIds.filter(clock.isLater),
      /** Ids of its channels that the bot cannot write to at present. */
      blockedChannels: channelIds.filter(deliveryWorker.isBlocked),
      deadLetters: channelIds.flatMap(deliveryWorker.deadLetters).length,
      delays: ops.recent.delays(ownerId),
      /** Its requests that Discord has refused in the last ten minutes. */
      refused: refusals.ofOwner(ownerId),
      /** True if its alerts go to a receiver outside of Discord as well. */
      isHandedOn: alertsOut.isHandedOn(ownerId),
    },
    watchesInAll: registry.size,
    /** Coarse, since it tells of others' wallets, too. */
    roundMinutes: roundStep([...registry.wallets()].length * open, budget.snapshot()),
  };
}
