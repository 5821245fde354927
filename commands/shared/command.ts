import type {
  AutocompleteInteraction,
  ButtonInteraction,
  ChatInputCommandInteraction,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import type { Logger } from 'pino';
import type { PictureCache } from '../../src/charts/picture-cache.ts';
import type { ChartRenderer } from '../../src/charts/render.ts';
import type { DeliveryWorker } from '../../src/delivery/worker.ts';
import type { DigestDocuments } from '../../src/digests/documents.ts';
import type { Quotas } from '../../src/discord/quotas/quotas.ts';
import type { Recency } from '../../src/discord/recency.ts';
import type { Links } from '../../src/embeds/links.ts';
import type { VenueAvailability } from '../../src/feed/availability.ts';
import type { Feed } from '../../src/feed/feed.ts';
import type { LookUps } from '../../src/feed/observe.ts';
import type { Language } from '../../src/language/language.ts';
import type { PageScanCache } from '../../src/lookups/page-scan-cache.ts';
import type { PagerStore } from '../../src/lookups/stored-lists.ts';
import type { Ops } from '../../src/ops/ops.ts';
import type { WalletKnowledge } from '../../src/portfolio/wallet-knowledge.ts';
import type { WalletAddress } from '../../src/venue/address.ts';
import type { ActivityItem, TransferItem } from '../../src/venue/schema.ts';
import type { VenueClock } from '../../src/watches/baseline.ts';
import type { ChannelSettingsStore } from '../../src/watches/channel-settings.ts';
import type { Registry } from '../../src/watches/registry.ts';
import type { Imports } from '../../src/watches/transfer/imports.ts';
import type { Watch } from '../../src/watches/watch.ts';
import type { CardLists } from '../lists/card-source.ts';

/** What a command may use. */
export interface CommandContext {
  readonly venue: LookUps;
  /** As far as whoever asks may know of it. */
  readonly registry: Registry;
  /** The server's watches of a wallet that an answer may tell of, whoever reads it. */
  readonly watchesForAll: (wallet: WalletAddress) => readonly Watch[];
  readonly channelSettings: ChannelSettingsStore;
  readonly digests: DigestDocuments;
  readonly deliveryWorker: Pick<DeliveryWorker, 'block' | 'unblock' | 'reconsider' | 'deadLetters'>;
  readonly availability: Pick<VenueAvailability, 'trouble'>;
  readonly feed: Pick<Feed, 'outlook'>;
  readonly ops: Pick<Ops, 'status'>;
  /** What has been kept of a wallet that some server watches; undefined if nothing. */
  readonly knowledge: (wallet: WalletAddress) => Promise<WalletKnowledge | undefined>;
  readonly pagers: PagerStore;
  readonly recent: Recency;
  /** The lists that people are on. */
  readonly scans: { readonly activity: PageScanCache<ActivityItem>; readonly flows: PageScanCache<TransferItem> };
  readonly cardLists: CardLists;
  readonly charts: ChartRenderer;
  /** Charts of lists, for when their page is turned. */
  readonly pictures: PictureCache;
  readonly quotas: Quotas;
  readonly imports: Imports;
  readonly links: Links;
  /** Of whoever asked. */
  readonly language: Language;
  /** What a channel reads: for what the bot tells it unasked. */
  readonly languageOf: (channelId: string) => Language;
  readonly venueClock: () => VenueClock;
  readonly nowMs: () => number;
  readonly log: Logger;
}

export interface Choice {
  readonly name: string;
  readonly value: string;
}

/** Commands work in servers only; Discord is told so, and the dispatcher makes sure. */
export type GuildCommand = ChatInputCommandInteraction<'cached' | 'raw'>;
export type GuildButton = ButtonInteraction<'cached' | 'raw'>;
export type GuildAutocomplete = AutocompleteInteraction<'cached' | 'raw'>;

/** One slash command. */
export interface SlashCommand {
  readonly definition: { readonly name: string; toJSON(): RESTPostAPIChatInputApplicationCommandsJSONBody };
  /** Whether only the person who typed it sees the answer. */
  readonly isPrivate: (interaction: GuildCommand) => boolean;
  /** What can be refused without asking anybody: throws UserError, before the room sees that the bot is thinking. */
  readonly check?: (interaction: GuildCommand, context: CommandContext) => void;
  /** Runs after the interaction has been acknowledged: answers by `editReply`. UserError and VenueError are shown to the person. */
  readonly execute: (interaction: GuildCommand, context: CommandContext) => Promise<void>;
  readonly autocomplete?: (interaction: GuildAutocomplete, context: CommandContext) => readonly Choice[];
  /** A button whose custom id is `NAME:ARGUMENTS…`: runs after the press has been acknowledged, answers by `editReply`. */
  readonly press?: (interaction: GuildButton, args: readonly string[], context: CommandContext) => Promise<void>;
}
