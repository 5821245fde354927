import type {
  AutocompleteInteraction,
  ButtonInteraction,
  ChatInputCommandInteraction,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import type { Logger } from 'pino';
import type { Courier } from '../alert/courier.ts';
import type { Links } from '../alert/links.ts';
import type { Insight } from '../book/insight.ts';
import type { PictureCache } from '../chart/picture-cache.ts';
import type { ChartRenderer } from '../chart/render.ts';
import type { Digests } from '../digest/clerk.ts';
import type { Language } from '../language/language.ts';
import type { WalkCache } from '../look/walk-cache.ts';
import type { Ops } from '../ops/ops.ts';
import type { Health } from '../poll/health.ts';
import type { Schedule } from '../poll/schedule.ts';
import type { WalletAddress } from '../venue/address.ts';
import type { VenueClient } from '../venue/client.ts';
import type { ActivityItem, TransferItem } from '../venue/schema.ts';
import type { VenueClock } from '../watch/baseline.ts';
import type { Registry } from '../watch/registry.ts';
import type { Rooms } from '../watch/rooms.ts';
import type { Watch } from '../watch/watch.ts';
import type { PagerStore } from './pager.ts';
import type { Quotas } from './quota.ts';
import type { Recency } from './recency.ts';
import type { CardLists } from './wallet-card-source.ts';
import type { Imports } from './watch-import-store.ts';

/** What a command may use. */
export interface CommandContext {
  readonly venue: VenueClient;
  /** As far as whoever asks may know of it. */
  readonly registry: Registry;
  /** The server's watches of a wallet that an answer may tell of, whoever reads it. */
  readonly watchesForAll: (wallet: WalletAddress) => readonly Watch[];
  readonly rooms: Rooms;
  readonly digests: Pick<Digests, 'documents' | 'reconsider' | 'trouble'>;
  readonly courier: Pick<Courier, 'block' | 'unblock' | 'deadLetters'>;
  readonly health: Pick<Health, 'trouble'>;
  readonly schedule: Pick<Schedule, 'outlook'>;
  readonly ops: Pick<Ops, 'status'>;
  /** What has been kept of a wallet that some server watches; undefined if nothing. */
  readonly insight: (wallet: WalletAddress) => Promise<Insight | undefined>;
  readonly pagers: PagerStore;
  readonly recent: Recency;
  /** The lists that people are on. */
  readonly walks: { readonly activity: WalkCache<ActivityItem>; readonly flows: WalkCache<TransferItem> };
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
