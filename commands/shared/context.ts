import type { Logger } from 'pino';
import type { PictureCache } from '../../src/charts/picture-cache.ts';
import type { ChartRenderer } from '../../src/charts/render.ts';
import type { DeliveryWorker } from '../../src/delivery/worker.ts';
import type { DigestDocuments } from '../../src/digests/documents.ts';
import { registrySeenBy, watchesForAll } from '../../src/discord/member-rights.ts';
import { type Place, placeOf } from '../../src/discord/place.ts';
import { spendingFrom } from '../../src/discord/quotas/lookups.ts';
import type { Quotas } from '../../src/discord/quotas/quotas.ts';
import type { AnyUse } from '../../src/discord/slash-command.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { ActivityItem, TransferItem } from '../../src/domain/records.ts';
import type { Links } from '../../src/embeds/links.ts';
import type { Feed, LookUps, VenueAvailability } from '../../src/feed/interface.ts';
import { type Language, languageFor } from '../../src/language/language.ts';
import type { CardLists } from '../../src/lookups/card-lists.ts';
import type { PageScanCache } from '../../src/lookups/page-scan-cache.ts';
import type { PagerStore } from '../../src/lookups/pager-store.ts';
import type { Persons } from '../../src/persons/persons.ts';
import type { WalletKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import type { ChannelSettingsStore } from '../../src/watches/channel-settings.ts';
import type { Registry } from '../../src/watches/registry.ts';
import type { VenueClock } from '../../src/watches/start-time.ts';
import type { Imports } from '../../src/watches/transfer/imports.ts';
import type { Watch } from '../../src/watches/watch.ts';
import type { Recency } from './recency.ts';
import type { Status } from './status.ts';
import { labelIn } from './wallet-names.ts';

/** What all commands use. */
export interface CommandServices {
  readonly venue: LookUps;
  readonly registry: Registry;
  readonly channelSettings: ChannelSettingsStore;
  readonly digests: DigestDocuments;
  readonly deliveryWorker: Pick<DeliveryWorker, 'block' | 'unblock' | 'reconsider' | 'deadLetters'>;
  readonly availability: Pick<VenueAvailability, 'trouble'>;
  readonly feed: Pick<Feed, 'outlook'>;
  readonly statusOf: (ownerId: string) => Status;
  /** What is stored of a wallet that some server watches; undefined if nothing. */
  readonly knowledge: (wallet: WalletAddress) => Promise<WalletKnowledge | undefined>;
  /** How many wallets a channel has ever ranked. */
  readonly rankedIn: (channelId: string) => number;
  readonly pagers: PagerStore;
  readonly recent: Recency;
  /** The lists that people are paging through. */
  readonly scans: { readonly activity: PageScanCache<ActivityItem>; readonly flows: PageScanCache<TransferItem> };
  readonly cardLists: CardLists;
  readonly charts: ChartRenderer;
  /** Rendered charts of lists: the same one is shown again when the page is turned. */
  readonly pictures: PictureCache;
  readonly quotas: Quotas;
  readonly imports: Imports;
  readonly persons: Pick<Persons, 'alone' | 'greet' | 'forget'>;
  readonly links: Links;
  /** The language of a channel: for messages that are not for one person. */
  readonly languageOf: (channelId: string) => Language;
  readonly venueClock: () => VenueClock;
  readonly nowMs: () => number;
  readonly log: Logger;
}

/**
 * What a command uses for the person who acts: `registry` holds only watches that the person may know, and requests through
 * `venue` count against the share of the person's server, or their own.
 */
export interface CommandContext extends CommandServices {
  /** Where the person is, and whose watches count there. */
  readonly place: Place;
  /** The watches of a wallet that may be named in an answer to whoever reads it: in a server everybody in the channel. */
  readonly watchesForAll: (wallet: WalletAddress) => readonly Watch[];
  /**
   * What a wallet is called where everybody may read it: in this channel, or in the one given. Null without a label.
   *
   * @param typed how the person named it; empty: not at all
   */
  readonly labelOf: (wallet: WalletAddress, typed: string, channelId?: string) => string | null;
  /** Of the person. */
  readonly language: Language;
}

/** Narrows the services to what the person who acts may use. */
export function contextFor(services: CommandServices): (interaction: AnyUse) => CommandContext {
  const { registry, venue, quotas } = services;
  return (interaction) => {
    const place = placeOf(interaction);
    return {
      ...services,
      place,
      registry: registrySeenBy(interaction, registry),
      watchesForAll: (wallet) => watchesForAll(interaction, place, registry, wallet),
      labelOf(wallet, typed, channelId = interaction.channelId) {
        const { guild } = interaction;
        return labelIn(watchesForAll({ channelId, guild }, place, registry, wallet), channelId, typed);
      },
      venue: spendingFrom(venue, quotas.lookups(place.ownerId), place.ownerId),
      language: languageFor(interaction.locale),
    };
  };
}
