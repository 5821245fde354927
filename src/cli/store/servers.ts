import { described } from '../../app/documents/kinds.ts';
import { createWaitingCount } from '../../app/documents/waiting.ts';
import { channelQueueKind } from '../../delivery/channel-queue.ts';
import { shownStore } from '../../store/address.ts';
import { StoreUnfit } from '../../store/error.ts';
import { FORMAT } from '../../store/format.ts';
import { versionFault } from '../../store/marks.ts';
import { closing, type Inspection, inspectStore } from '../../store/store.ts';
import { personOf, suspendedKind } from '../../watches/owner.ts';
import { WATCH_PREFIX, type Watch, watchSchema } from '../../watches/watch.ts';

const HEAD = ['server', 'watches', 'wallets', 'channels', 'waiting', 'blocked', ''];
/** Label of the single line for all persons' own watches. */
const PEOPLE = 'people';

interface Server {
  watches: number;
  readonly wallets: Set<string>;
  readonly channels: Set<string>;
}

/**
 * Returns one line per server: watches, wallets and channels, waiting alerts, and channels that
 * cannot be written to. Reads page by page, also while a bot runs.
 *
 * @throws {StoreUnfit} if another version wrote the store
 */
export function listServers(url: string): Promise<string> {
  return closing(inspectStore(url, { isQuick: true }), async (inspection) => {
    const fault = await versionFault(inspection, shownStore(url), FORMAT);
    if (fault !== null) throw new StoreUnfit(fault);
    return table(await counted(inspection));
  });
}

async function counted(inspection: Inspection) {
  const servers = new Map<string, Server>();
  const serverOf = new Map<string, string>();
  const waiting = createWaitingCount();
  const blocked = new Map<string, number>();
  const suspended = new Set<string>();
  const countWatch = (server: string, { wallet, channelId }: Watch) => {
    const found = servers.get(server) ?? { watches: 0, wallets: new Set(), channels: new Set() };
    servers.set(server, found);
    found.watches += 1;
    found.wallets.add(wallet);
    found.channels.add(channelId);
  };
  for await (const [key, description, document] of described(inspection)) {
    if (typeof description === 'string') continue;
    const server = serverOfOwner(description.ownerId);
    if (server !== null && description.channelId !== undefined) {
      serverOf.set(description.channelId, server);
    }
    if (server !== null && key.startsWith(WATCH_PREFIX)) {
      countWatch(server, watchSchema.parse(document));
    }
    if (server !== null && suspendedKind.holds(key)) suspended.add(server);
    waiting.add(key, document);
    if (isBlocked(key, document)) blocked.set(channelQueueKind.idOf(key), 1);
  }
  const waitingOf = byServer(waiting.total().byChannel, serverOf);
  const blockedOf = byServer(blocked, serverOf);
  return [...servers]
    .toSorted(([, one], [, other]) => other.watches - one.watches)
    .map(([server, { watches, wallets, channels }]) => {
      const counts = [watches, wallets.size, channels.size];
      counts.push(waitingOf.get(server) ?? 0, blockedOf.get(server) ?? 0);
      return [server, ...counts.map(String), suspended.has(server) ? 'rests' : ''];
    });
}

function serverOfOwner(ownerId: string | undefined): string | null {
  if (ownerId === undefined) return null;
  return personOf(ownerId) === null ? ownerId : PEOPLE;
}

/** Whether a document is the queue of a channel that cannot be written to. */
function isBlocked(key: string, document: unknown): boolean {
  if (!channelQueueKind.holds(key)) return false;
  const queue = channelQueueKind.read(key, document);
  return queue !== null && queue.block !== null;
}

/** Adds up counts of channels by server. */
function byServer(
  counts: Iterable<readonly [channel: string, count: number]>,
  serverOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [channel, count] of counts) {
    const server = serverOf.get(channel) ?? '';
    sums.set(server, (sums.get(server) ?? 0) + count);
  }
  return sums;
}

/** Formats rows as a table: the first column is left-aligned, the others are right-aligned. */
function table(rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return 'Nobody watches anything.';
  const lines = [HEAD, ...rows];
  const widths = HEAD.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const padded = (word: string, column: number) => {
    const width = widths[column] ?? 0;
    return column === 0 ? word.padEnd(width) : word.padStart(width);
  };
  return lines.map((line) => line.map(padded).join('  ').trimEnd()).join('\n');
}
