import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { walletSchema } from '../domain/address.ts';
import type { Machine } from '../lib/machine.ts';
import { DAY_MS, HOUR_MS } from '../lib/time.ts';
import { type Collection, defineCollection, ownPlace } from '../store/collection.ts';
import type { ChannelSettings } from './channel-settings.ts';
import { personOf, snowflake } from './owner.ts';
import { isLeaving, type Watch, type WatchId } from './watch.ts';
import { SETTING_NAMES } from './watch-settings.ts';

const CHANGES_LIMIT = 500;
const LIFE_MS = 30 * DAY_MS;

const PRUNE_MS = HOUR_MS;
/** Maximum characters of one stored value, and of all values of one change. */
const VALUE_MAX = 160;
const VALUES_MAX = 600;

const DEEDS = ['added', 'edited', 'paused', 'resumed', 'removed', 'restored'] as const;

const changeSchema = z.object({
  /** Time of the change, in epoch ms. */
  atMs: z.number(),
  /** Id of the person who made it; null once the person is forgotten. */
  by: snowflake.nullable(),
  channelId: snowflake,
  /** Null for a change of the channel's settings or of its digest. */
  wallet: walletSchema.nullable(),
  deed: z.enum(DEEDS),
  /** Names of the changed parts: `label`, settings of a watch, options of a channel, `digest`. */
  parts: z.array(z.string()).readonly(),
  /** Values before and after, as JSON, by part. A part whose values are too long is left out. */
  values: z
    .record(z.string(), z.tuple([z.string(), z.string()]).readonly())
    .readonly()
    .exactOptional(),
});
/** A change of a server's watches or channel settings, with the person who made it. */
export type Change = z.infer<typeof changeSchema>;

const serverChangesSchema = z.object({
  ownerId: snowflake,
  /** Oldest first. */
  changes: z.array(changeSchema).readonly(),
});
type ServerChanges = z.infer<typeof serverChangesSchema>;

/** A change without its time and author. */
export type Made = Omit<Change, 'atMs' | 'by'>;

type Changeable = Pick<Watch, 'label' | 'settings' | 'pause' | 'leavesAtMs'>;

/** Describes a change of a watch; undefined if nothing changed that is recorded. */
export function changeOf(before: Changeable, after: Changeable & WatchId): Made | undefined {
  const { channelId, wallet } = after;
  const parts: string[] = SETTING_NAMES.filter(
    (name) => !isDeepStrictEqual(before.settings[name], after.settings[name]),
  );
  if (before.label !== after.label) parts.unshift('label');
  const deed = deedOf(before, after) ?? (parts.length > 0 ? 'edited' : undefined);
  if (deed === undefined) return undefined;
  const settings = ({ label, settings: own }: Changeable) => ({ ...own, label });
  const values = valuesOf(parts, settings(before), settings(after));
  return { channelId, wallet, deed, parts, ...(values && { values }) };
}

/** Writes the values of parts before and after a change; undefined if all are too long. */
function valuesOf(
  parts: readonly string[],
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Change['values'] {
  let left = VALUES_MAX;
  const kept: [part: string, values: [before: string, after: string]][] = [];
  for (const part of parts) {
    const texts = [JSON.stringify(before[part]), JSON.stringify(after[part])] as const;
    const [was, is] = texts;
    const isShort = texts.every(({ length }) => length <= VALUE_MAX);
    if (!isShort || was.length + is.length > left) continue;
    left -= was.length + is.length;
    kept.push([part, [was, is]]);
  }
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function deedOf(before: Changeable, after: Changeable): Change['deed'] | undefined {
  if (isLeaving(before) !== isLeaving(after)) return isLeaving(after) ? 'removed' : 'restored';
  if (isDeepStrictEqual(before.pause, after.pause)) return undefined;
  return after.pause === null ? 'resumed' : 'paused';
}

/** Options of `/watch channel`, by the setting that each one sets. */
const CHANNEL_OPTIONS = {
  view: 'view',
  consensus: 'consensus',
  words: 'words',
  consensusOnly: 'consensus-only',
  results: 'results',
  language: 'language',
  quiet: 'quiet',
  delay: 'delay',
} as const satisfies Record<
  Exclude<keyof ChannelSettings, 'ownerId' | 'channelId' | 'rankedBefore'>,
  string
>;
const CHANNEL_SETTINGS = Object.keys(CHANNEL_OPTIONS) as (keyof typeof CHANNEL_OPTIONS)[];
/** Returns the channel setting that an option sets; undefined for an unknown option. */
export function settingOfOption(option: string): keyof typeof CHANNEL_OPTIONS | undefined {
  return CHANNEL_SETTINGS.find((name) => CHANNEL_OPTIONS[name] === option);
}
/** Parts that a change of a channel may have, by their names in commands. */
export const CHANNEL_PARTS = [...Object.values(CHANNEL_OPTIONS), 'digest'] as const;

/** Lists the changed options of a channel; empty if none has changed. */
export function changesOfChannel(before: ChannelSettings, after: ChannelSettings): Made[] {
  const changed = CHANNEL_SETTINGS.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  if (changed.length === 0) return [];
  const parts = changed.map((name) => CHANNEL_OPTIONS[name]);
  const byOption = (settings: ChannelSettings) =>
    Object.fromEntries(CHANNEL_SETTINGS.map((name) => [CHANNEL_OPTIONS[name], settings[name]]));
  const values = valuesOf(parts, byOption(before), byOption(after));
  const made = { channelId: after.channelId, wallet: null, deed: 'edited' as const, parts };
  return [{ ...made, ...(values && { values }) }];
}

/** Describes a change of a channel's digest: set, changed or ended. */
export function changeOfDigest(channelId: string): Made {
  return {
    channelId,
    wallet: null,
    deed: 'edited',
    parts: ['digest'],
  };
}

/** One document per server. Nothing is stored for watches that people have in a DM. */
export const changesKind = defineCollection({
  prefix: 'changes:',
  schema: serverChangesSchema,
  belongs: ({ ownerId }, id) => ownerId === id,
  placeOf: ownPlace,
  expiresAtMs: ({ changes }) => (changes.at(-1)?.atMs ?? 0) + LIFE_MS,
});

/** Records who changed what in each server: the newest 500 changes of the last 30 days. */
export function createChanges({ nowMs, log }: Machine, documents: Collection<ServerChanges>) {
  // Absolute, so that a clock that was set back neither extends a change's life nor deletes older
  // ones.
  const isYoung = ({ atMs }: Change) => Math.abs(nowMs() - atMs) < LIFE_MS;
  const update = (ownerId: string, change: (before: readonly Change[]) => readonly Change[]) =>
    documents.change(ownerId, (before) => {
      const present = before?.changes ?? [];
      const after = change(present).filter(isYoung).slice(-CHANGES_LIMIT);
      if (after.length === 0) return undefined;
      const isSame =
        after.length === present.length && after.every((one, at) => one === present[at]);
      return isSame ? before : { ownerId, changes: after };
    });

  /** Deletes changes older than 30 days. */
  const prune = async (): Promise<void> => {
    for (const ownerId of documents.ids()) await update(ownerId, (before) => before);
  };

  return {
    /**
     * Records a person's changes, after they have been stored. A failure is only logged, because
     * the changes themselves stay valid.
     *
     * @param ownerId a server; nothing is recorded for a person
     */
    async note(ownerId: string, by: string, made: readonly Made[]): Promise<void> {
      for (const { channelId: channel, wallet, parts } of made) {
        // Changes of watches are logged by the registry.
        if (wallet === null) {
          log.info({
            event: 'channel.changed',
            guild: ownerId,
            channel,
            parts,
            by,
          });
        }
      }
      if (personOf(ownerId) !== null || made.length === 0) return;
      const atMs = nowMs();
      const noted = made.map((one) => ({ ...one, by, atMs }));
      try {
        await update(ownerId, (before) => [...before, ...noted]);
      } catch (error) {
        log.error({ event: 'changes.not_noted', guild: ownerId, err: error });
      }
    },
    /** Lists the changes made in a server, oldest first. */
    of: (ownerId: string): readonly Change[] =>
      (documents.get(ownerId)?.changes ?? []).filter(isYoung),
    /** Removes a person's id from a server's changes; the changes stay. */
    forgetPerson: (ownerId: string, personId: string): Promise<void> =>
      update(ownerId, (before) =>
        before.map((one) => (one.by === personId ? { ...one, by: null } : one)),
      ),
    prune,
    /**
     * Deletes changes older than 30 days, at once and every hour.
     *
     * @returns a function that stops it
     */
    start(): () => void {
      const attempt = () =>
        prune().catch((error: unknown) => log.error({ event: 'changes.not_pruned', err: error }));
      void attempt();
      const timer = setInterval(attempt, PRUNE_MS).unref();
      return () => clearInterval(timer);
    },
  };
}
export type Changes = ReturnType<typeof createChanges>;
