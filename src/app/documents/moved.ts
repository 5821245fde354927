import type { Logger } from 'pino';
import { hasGuild } from '../../discord/shards.ts';
import { readMoves, type Shards } from '../../store/marks.ts';
import { createQuarantine } from '../../store/quarantine.ts';
import type { Store } from '../../store/store.ts';
import { describeDocument } from './kinds.ts';
import { type Selection, shareOf } from './split.ts';
import { surveyStore } from './survey.ts';

/** The servers of some shards. Direct messages, and so persons, are with shard 0. */
export function serversOf(shards: Shards): Selection {
  return { hasGuild: (guildId) => hasGuild(shards, guildId), hasPersons: shards.ids.includes(0) };
}

/**
 * At the start, before the documents are read: deletes those of servers that have moved to another store, from which they
 * are served. What names no server stays, and what cannot be read.
 */
export async function dropMoved(store: Store, log: Logger): Promise<void> {
  const moved = (await readMoves(store)).flatMap(({ shards }) => (shards === null ? [] : serversOf(shards)));
  if (moved.length === 0) return;
  const left: Selection = {
    hasGuild: (guildId) => !moved.some((selection) => selection.hasGuild(guildId)),
    hasPersons: !moved.some(({ hasPersons }) => hasPersons),
  };
  const { directory, unsureWallets } = await surveyStore(store);
  const shareLeft = (key: string, document: unknown) => {
    const found = describeDocument(key, document);
    // Of a watch that cannot be read nobody knows whether it has moved: the wallet stays, without what is of moved channels.
    const isUnsure = typeof found !== 'string' && found.owner.of === 'wallet' && unsureWallets.has(found.owner.wallet);
    const description: typeof found = isUnsure ? { ...found, owner: { of: 'all' } } : found;
    return typeof description === 'string' || description.owner.of === 'store'
      ? null
      : { ...shareOf(description, directory, left, true), isDamaged: description.parts?.sound !== undefined };
  };
  const gone: string[] = [];
  const divided: string[] = [];
  for await (const [key, document] of store.entries()) {
    const kind = shareLeft(key, document)?.kind;
    if (kind === 'none') gone.push(key);
    if (kind === 'part') divided.push(key);
  }
  const putAside = createQuarantine(store, log);
  for (const key of gone) await store.delete(key);
  for (const key of divided) {
    const document = await store.get(key);
    const share = shareLeft(key, document);
    if (share === null) continue;
    if (share.isDamaged) await putAside(key, document);
    await store.set(key, share.document);
  }
  if (gone.length + divided.length > 0) log.info({ event: 'store.moved_dropped', documents: gone.length });
}
