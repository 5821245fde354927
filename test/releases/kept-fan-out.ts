import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FakeDiscord } from '@walletbell/local-discord/discord/fake-discord';
import type { LedgerRecord } from '@walletbell/venue-server/ledger';
import { messageId } from '../../src/alerts-out/message-id.ts';
import { ROOT } from '../../src/build/state.js';
import type { WalletAddress } from '../../src/domain/address.ts';
import { createFormat, FORMAT } from '../../src/store/format.ts';
import { STEPS } from '../../src/store/migrations/steps.ts';
import { openStore } from '../../src/store/store.ts';
import type { storeKinds } from '../cli/store/stores.ts';

/**
 * Stores as bots of earlier formats left them when they were killed: a wallet in 60 channels, 12 of
 * them delayed, messages on their way and messages that may grow, alerts and results that wait, a
 * receiver that was not there, and a wallet's document that is damaged. Made once, by the bot of
 * that format, and never changed.
 */
const FOLDER = join(ROOT, 'test/releases/fan-out');
export const FAN_OUT_NAMES = readdirSync(FOLDER).map((name) => name.replace('.jsonl.gz', ''));

/**
 * What all channels of these stores were delayed by; so long ago that all of it is due, and so long
 * that nothing is which comes while a test runs.
 */
const DELAY = ['"delay":{"ms":3600000', '"delay":{"ms":600000'] as const;

export interface KeptWatch {
  readonly ownerId: string;
  readonly channelId: string;
  readonly wallet: string;
  readonly settings: { readonly minUsdc?: number | null };
}

interface Line {
  readonly key: string;
  readonly document?: unknown;
  /** Left of a document that cannot be read. */
  readonly text?: string;
}

interface KeptAlert {
  readonly id: string;
  readonly event:
    | {
        readonly kind: 'activity';
        readonly item: Extract<LedgerRecord, { kind: 'activity' }>['item'];
      }
    | {
        readonly kind: 'transfer';
        readonly item: Extract<LedgerRecord, { kind: 'transfer' }>['item'];
      }
    | { readonly kind: 'result' };
}

/**
 * Writes a kept store, with the ids of channels that it makes in a Discord.
 *
 * @returns its watches, the delayed channels, and the records that are to come to channels once
 */
export async function plantFanOut(
  name: string,
  storeName: string,
  kinds: ReturnType<typeof storeKinds>,
  discord: FakeDiscord,
) {
  const text = gunzipSync(readFileSync(join(FOLDER, `${name}.jsonl.gz`))).toString();
  const [head = '', ...kept] = text.trimEnd().split('\n').slice(0, -1);
  const found = kept.map((line) => JSON.parse(line) as Line);
  const channels = createChannels(discord, watchesIn(found));
  const isChannel = new RegExp([...channels.keys()].join('|'), 'g');
  const lines = kept.map((line): Line => {
    const renamed = line.replace(isChannel, (id) => channels.get(id) ?? id);
    return JSON.parse(renamed.replace(...DELAY));
  });
  const url = await kinds.newStore(storeName);
  const { format } = JSON.parse(head) as { readonly format: number };
  const store = await openStore(url, {
    format: createFormat(FORMAT.first, STEPS.slice(0, format - FORMAT.first)),
  });
  for (const line of lines) if (line.text === undefined) await store.set(line.key, line.document);
  await store.close();
  for (const { key, text: torn } of lines)
    if (torn !== undefined) await kinds.plant(url, key, torn);
  const delayed = lines.filter(({ key }) => key.startsWith('channel:'));
  return {
    url,
    watches: watchesIn(lines),
    delayed: new Set(delayed.map(({ key }) => key.slice('channel:'.length))),
    waiting: waitingIn(lines),
    ...forReceiversIn(lines),
  };
}

function watchesIn(lines: readonly Line[]): readonly KeptWatch[] {
  return lines
    .filter(({ key }) => key.startsWith('watch:'))
    .map(({ document }) => document as KeptWatch);
}

/**
 * Makes the watches' servers and channels.
 *
 * @returns the channels' ids, by those in the store
 */
function createChannels(discord: FakeDiscord, watches: readonly KeptWatch[]) {
  const channels = new Map<string, string>();
  const servers = new Set<string>();
  for (const { ownerId, channelId } of watches) {
    if (!servers.has(ownerId)) discord.createGuild({ id: ownerId, name: 'Desk' });
    servers.add(ownerId);
    if (channels.has(channelId)) continue;
    channels.set(channelId, discord.createChannel(ownerId, { name: `c${channels.size}` }).id);
  }
  return channels;
}

/** Records that wait for channels, each once, without those whose message Discord has already. */
function waitingIn(lines: readonly Line[]) {
  const seen = new Set<string>();
  for (const { key, document } of lines) {
    if (!key.startsWith('queue:')) continue;
    const { message } = document as {
      readonly message: {
        readonly messageId: string | null;
        readonly groups: readonly { readonly ids: readonly string[] }[];
      } | null;
    };
    if (message === null || message.messageId === null) continue;
    const channelId = key.slice('queue:'.length);
    for (const id of message.groups.flatMap(({ ids }) => ids)) seen.add(`${channelId} ${id}`);
  }
  const records: { readonly channelId: string; readonly record: LedgerRecord }[] = [];
  const add = (channelId: string, wallet: string, { id, event }: KeptAlert) => {
    if (event.kind === 'result' || seen.has(`${channelId} ${id}`)) return;
    seen.add(`${channelId} ${id}`);
    const record: LedgerRecord =
      event.kind === 'transfer'
        ? { kind: 'transfer', wallet, item: event.item }
        : { kind: 'activity', wallet, block: 0, item: event.item };
    records.push({ channelId, record });
  };
  for (const { key, document } of lines) {
    if (key.startsWith('wallet:') && document !== undefined) {
      const { outbox } = document as {
        readonly outbox: readonly (KeptAlert & { readonly channels: readonly string[] })[];
      };
      for (const alert of outbox)
        for (const channelId of alert.channels) add(channelId, key.slice('wallet:'.length), alert);
    }
    if (!/^later:\d/.test(key)) continue;
    const { channelId, alerts } = document as {
      readonly channelId: string;
      readonly alerts: readonly (KeptAlert & { readonly wallet: string })[];
    };
    for (const alert of alerts) add(channelId, alert.wallet, alert);
  }
  return records;
}

/** A message to a server's receiver, as far as it names itself. */
type KeptMessage = Pick<Parameters<typeof messageId>[0], 'id' | 'ownerId' | 'channelId'>;

/** Servers that had a receiver of signed alerts, and the ids of the messages that wait for one. */
function forReceiversIn(lines: readonly Line[]) {
  const owners = new Set<string>();
  const messageIds = new Set<string>();
  const add = (wallet: string, message: KeptMessage) => {
    owners.add(message.ownerId);
    messageIds.add(messageId({ ...message, wallet: wallet as WalletAddress }));
  };
  for (const { key, document } of lines) {
    if (key.startsWith('later:alerts-')) {
      const { alerts } = document as {
        readonly alerts: readonly (KeptMessage & { readonly wallet: string })[];
      };
      for (const alert of alerts) add(alert.wallet, alert);
    }
    if (!key.startsWith('wallet:') || document === undefined) continue;
    const { state } = document as {
      readonly state: {
        readonly handedOn: {
          readonly waiting: readonly {
            readonly id: string;
            readonly owners: readonly KeptMessage[];
          }[];
        };
      };
    };
    // None of format 10 wait here.
    for (const { id, owners: messages } of state.handedOn.waiting)
      for (const message of messages) add(key.slice('wallet:'.length), { ...message, id });
  }
  return { owners: [...owners], messageIds };
}
