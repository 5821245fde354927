import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { UserError } from '../../language/user-error.ts';
import type { Machine } from '../../lib/machine.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { type Archive, defineArchive } from '../../store/collection.ts';
import { type Changes, changeOf, type Made } from '../changes.ts';
import { ownerIdSchema, snowflake } from '../owner.ts';
import type { Registry } from '../registry.ts';
import { announcingFrom, isPaused, type Watch, watchSchema } from '../watch.ts';
import type { Place } from '../watch-index.ts';
import { DEFAULT_SETTINGS, SETTING_NAMES } from '../watch-settings.ts';
import type { Order } from './fields.ts';

/** A dry run that is older has to be made again. */
const LIFE_MS = HOUR_MS;

const changeableSchema = watchSchema.pick({ label: true, settings: true, pause: true });
type Changeable = z.infer<typeof changeableSchema>;
/**
 * A watch as it is to be, and as it was when that was decided, to notice changes since; null: there
 * was none.
 */
const targetSchema = changeableSchema.extend({
  ...watchSchema.pick({ channelId: true, wallet: true }).shape,
  before: changeableSchema.nullable(),
});
type Target = z.infer<typeof targetSchema>;

const pendingSchema = z.object({
  /** Id of the command; the buttons carry it. */
  id: snowflake,
  ownerId: ownerIdSchema,
  userId: snowflake,
  /** True if the person could manage the server when the file was sent: that must still hold. */
  isManager: z.boolean(),
  createdAtMs: z.number(),
  /**
   * Set when it begins to be applied, Unix seconds by the venue's clock: new watches announce from
   * then on.
   */
  sinceSeconds: z.number().nullable(),
  targets: z.array(targetSchema),
});

/** An import after its dry run, or one that is being applied. */
export type PendingImport = z.infer<typeof pendingSchema>;

/** Imports by owner: the one that waits, or was begun. */
export const importKind = defineArchive({
  prefix: 'import:',
  schema: pendingSchema,
  belongs: ({ ownerId }, id) => ownerId === id,
  placeOf: ({ ownerId }) => ({ ownerId }),
  expiresAtMs: ({ sinceSeconds, createdAtMs }) =>
    sinceSeconds === null ? createdAtMs + LIFE_MS : Number.POSITIVE_INFINITY,
});

export type Imports = ReturnType<typeof createImports>;

/**
 * The one import of each owner that waits for a yes. Kept in the store, so that its buttons outlive
 * a restart.
 *
 * @param parts `withSpaceFor` does work adding an owner's watches; for too many it throws a
 *   UserError and does nothing
 */
export function createImports(
  { log, onFailpoint }: Machine,
  parts: {
    readonly pending: Archive<PendingImport>;
    readonly registry: Registry;
    readonly changes: Pick<Changes, 'note'>;
    readonly quotas: {
      withSpaceFor<Result>(
        ownerId: string,
        places: readonly Place[],
        work: () => Promise<Result>,
      ): Promise<Result>;
    };
  },
) {
  const { pending: documents, registry, quotas, changes } = parts;
  const alone = oneAtATime();

  const find = async (ownerId: string, id: string): Promise<PendingImport> => {
    const pending = await documents.get(ownerId);
    if (pending?.id !== id) throw new UserError(({ texts }) => texts.files.import.over);
    return pending;
  };

  /**
   * Brings each watch to where it should be, unless somebody has changed it in the meantime.
   * @returns those that somebody has
   */
  const carryOut = async (
    { ownerId, id, userId: addedBy, targets }: PendingImport,
    sinceSeconds: number,
  ) => {
    const overtaken: Target[] = [];
    for (const target of targets) {
      const step = await reachTarget(registry, target, { ownerId, sinceSeconds, addedBy });
      if (step === 'overtaken') {
        const { channelId, wallet } = target;
        overtaken.push(target);
        log.warn({ event: 'import.overtaken', guild: ownerId, channel: channelId, wallet });
      }
      onFailpoint('import.stored');
    }
    // From the targets, for some of them may have been reached before a restart.
    const reached = targets.filter((target) => !overtaken.includes(target));
    await changes.note(ownerId, addedBy, reached.flatMap(madeOf));
    await documents.delete(ownerId);
    log.info({ event: 'import.finished', guild: ownerId, import: id, watches: targets.length });
    return overtaken;
  };

  /** Finishes what was begun and broken off. */
  const finish = async (ownerId: string): Promise<void> => {
    const begun = await documents.get(ownerId);
    if (typeof begun?.sinceSeconds === 'number') await carryOut(begun, begun.sinceSeconds);
  };

  return {
    /**
     * From reading a file to its dry run: one at a time for each owner.
     *
     * @throws UserError while another goes on
     */
    alone,
    /**
     * Keeps a dry run in place of an earlier one; one that was begun is finished first. To be
     * called in `alone`.
     */
    async propose(pending: PendingImport): Promise<void> {
      await finish(pending.ownerId);
      await documents.set(pending.ownerId, pending);
    },
    /** @throws UserError if it is over: applied, cancelled, replaced by a later one, or too old */
    find,
    /** @throws UserError if it is over, or has begun to be applied */
    cancel: ({ ownerId, id }: PendingImport): Promise<void> =>
      alone(ownerId, async () => {
        const pending = await find(ownerId, id);
        if (pending.sinceSeconds !== null) {
          throw new UserError(({ texts }) => texts.files.import.brokenOff);
        }
        await documents.delete(ownerId);
      }),
    /**
     * Does all of it. That it has begun is stored first, with the time: if the process ends in
     * between, the next start finishes it.
     *
     * @param sinceSeconds from when on new watches announce, by the venue's clock
     * @returns what somebody has changed meanwhile: it stays as they left it
     * @throws UserError if it is over, a watch is not as the dry run saw it, or the owner has no
     *   room; nothing changes
     */
    apply: ({ ownerId, id }: PendingImport, sinceSeconds: number): Promise<readonly Target[]> =>
      alone(ownerId, async () => {
        const pending = await find(ownerId, id);
        if (pending.sinceSeconds !== null) return carryOut(pending, pending.sinceSeconds);
        const steps = pending.targets.map((target) =>
          standing(target, registry.get(target.channelId, target.wallet)),
        );
        if (steps.includes('overtaken')) {
          throw new UserError(({ texts }) => texts.files.import.overtaken);
        }
        const added = pending.targets.filter((_, index) => steps[index] === 'add');
        return quotas.withSpaceFor(ownerId, added, async () => {
          await documents.set(ownerId, { ...pending, sinceSeconds });
          return carryOut(pending, sinceSeconds);
        });
      }),
    /**
     * Deletes what waits for an owner.
     *
     * @throws UserError while one is being applied
     */
    forget: (ownerId: string): Promise<void> => alone(ownerId, () => documents.delete(ownerId)),
    /** Deletes what waits for an owner, if it is of this person and nothing of it is done. */
    forgetPerson: (ownerId: string, personId: string): Promise<void> =>
      alone(ownerId, async () => {
        const pending = await documents.get(ownerId);
        if (pending?.userId === personId && pending.sinceSeconds === null) {
          await documents.delete(ownerId);
        }
      }),
    /** At the start, when the registry is there: finishes what was begun. */
    async finish(): Promise<void> {
      for (const ownerId of documents.ids()) await finish(ownerId);
    },
  };
}

/** `parts`: the fields that change, by their names in the file; empty for a new watch. */
export interface PlannedChange {
  readonly target: Target;
  readonly parts: readonly string[];
}

/**
 * Compares what a file wants with the watches that there are. What it does not mention stays;
 * watches that it does not name are left alone.
 *
 * @param nowSeconds venue clock: a pause that is over is none
 */
export function planImport(
  orders: readonly Order[],
  find: Registry['get'],
  nowSeconds: number,
): PlannedChange[] {
  const current = (watch: Pick<Watch, 'pause'>) =>
    isPaused(watch, nowSeconds) ? watch.pause : null;
  const planned: PlannedChange[] = [];
  for (const { channelId, wallet, label, settings, pause } of orders) {
    const watch = find(channelId, wallet);
    const present: Changeable = watch ?? { label: null, settings: DEFAULT_SETTINGS, pause: null };
    const wanted: Changeable = {
      label: label === undefined ? present.label : label,
      settings: { ...present.settings, ...settings },
      pause: current(pause === undefined ? present : { pause }),
    };
    const target = { channelId, wallet, ...wanted };
    if (watch === undefined) {
      planned.push({ target: { ...target, before: null }, parts: [] });
      continue;
    }
    const parts = differences({ ...watch, pause: current(watch) }, wanted);
    if (parts.length === 0) continue;
    const before = changeableSchema.parse(watch);
    planned.push({ target: { ...target, before }, parts });
  }
  return planned;
}

/**
 * Decides the step that is left for a target: `done` if the watch is so already, `overtaken` if
 * somebody has changed it since.
 */
export function standing(
  target: Target,
  watch: Watch | undefined,
): 'add' | 'update' | 'done' | 'overtaken' {
  const { before } = target;
  if (watch === undefined) return before === null ? 'add' : 'overtaken';
  if (differences(watch, target).length === 0) return 'done';
  if (before !== null && differences(watch, before).length === 0) return 'update';
  return 'overtaken';
}

/**
 * Brings a watch to where it should be.
 *
 * @returns how it stood, `overtaken` if it has changed since
 */
async function reachTarget(
  registry: Registry,
  target: Target,
  { ownerId, sinceSeconds, addedBy }: Pick<Watch, 'ownerId' | 'sinceSeconds' | 'addedBy'>,
): Promise<ReturnType<typeof standing>> {
  const { before: _, ...wanted } = target;
  const { channelId, wallet } = target;
  const watch = registry.get(channelId, wallet);
  const step = standing(target, watch);
  if (step === 'add') {
    const added = { ownerId, ...wanted, sinceSeconds, knownIdentities: [], addedBy };
    const isAdded = await registry.add(added);
    return isAdded ? step : standing(target, registry.get(channelId, wallet));
  }
  if (step === 'update' && watch !== undefined) {
    const changed = changedTo(watch, wanted, sinceSeconds);
    const isChanged = await registry.update(changed, addedBy, watch);
    return isChanged ? step : 'overtaken';
  }
  return step;
}

/**
 * The watch as it is to be. What happened in a pause that ends with it, Unix seconds, is not
 * announced.
 */
function changedTo(watch: Watch, wanted: Changeable, atSeconds: number): Watch {
  const endsPause = isPaused(watch, atSeconds) && !isPaused(wanted, atSeconds);
  const present = endsPause ? announcingFrom(watch, atSeconds) : watch;
  return { ...present, ...wanted };
}

/** Says what an import does to a watch. */
function madeOf({ before, ...wanted }: Target): Made[] {
  const { channelId, wallet } = wanted;
  if (before === null) return [{ channelId, wallet, deed: 'added', parts: [] }];
  const made = changeOf(before, wanted);
  return made === undefined ? [] : [made];
}

/** The fields that differ, by their names in the file. */
function differences(one: Changeable, other: Changeable): string[] {
  const fieldsOf = ({ label, settings, pause }: Changeable) => ({
    label,
    ...settings,
    paused: pause,
  });
  const before = fieldsOf(one);
  const after = fieldsOf(other);
  const fields = ['label', ...SETTING_NAMES, 'paused'] as const;
  return fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

/**
 * Makes what does work for an owner.
 *
 * @throws UserError while some is being done already
 */
function oneAtATime() {
  const busy = new Set<string>();

  return async <Result>(ownerId: string, work: () => Promise<Result>): Promise<Result> => {
    if (busy.has(ownerId)) throw new UserError(({ texts }) => texts.files.import.busy);
    busy.add(ownerId);
    try {
      return await work();
    } finally {
      busy.delete(ownerId);
    }
  };
}
