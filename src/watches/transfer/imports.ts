import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { UserError } from '../../language/user-error.ts';
import type { Machine } from '../../lib/machine.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { type Archive, defineArchive, ownPlace } from '../../store/collection.ts';
import { type Changes, changeOf, type Made } from '../changes.ts';
import { ownerIdSchema, snowflake } from '../owner.ts';
import type { Registry } from '../registry.ts';
import { announcingFrom, isPaused, type Watch, type WatchId, watchSchema } from '../watch.ts';
import { DEFAULT_SETTINGS, SETTING_NAMES } from '../watch-settings.ts';
import type { Order } from './fields.ts';

/** Time for which a dry run can be applied, in ms. */
const LIFE_MS = HOUR_MS;

const changeableSchema = watchSchema.pick({ label: true, settings: true, pause: true });
type Changeable = z.infer<typeof changeableSchema>;
/**
 * A watch as it should become, and as it was at the dry run, to detect later changes; null if there
 * was none.
 */
const targetSchema = changeableSchema.extend({
  ...watchSchema.pick({ channelId: true, wallet: true }).shape,
  before: changeableSchema.nullable(),
});
type Target = z.infer<typeof targetSchema>;

const pendingSchema = z.object({
  /** Id of the command; its buttons carry it. */
  id: snowflake,
  ownerId: ownerIdSchema,
  userId: snowflake,
  /**
   * True if the person could manage the server when they sent the file; they must still be able to.
   */
  isManager: z.boolean(),
  createdAtMs: z.number(),
  /**
   * Set when applying begins, in Unix seconds by the venue's clock. New watches announce from then
   * on.
   */
  sinceSeconds: z.number().nullable(),
  targets: z.array(targetSchema),
});

/** An import after its dry run, or while it is being applied. */
export type PendingImport = z.infer<typeof pendingSchema>;

/** Imports by owner: the one that waits for confirmation or is being applied. */
export const importKind = defineArchive({
  prefix: 'import:',
  schema: pendingSchema,
  belongs: ({ ownerId }, id) => ownerId === id,
  placeOf: ownPlace,
  expiresAtMs: ({ sinceSeconds, createdAtMs }) =>
    sinceSeconds === null ? createdAtMs + LIFE_MS : Number.POSITIVE_INFINITY,
});

export type Imports = ReturnType<typeof createImports>;

/**
 * Manages each owner's single import that waits for confirmation. It is stored, so that its buttons
 * survive a restart.
 *
 * @param parts `withSpaceFor` runs work that adds an owner's watches; if they are too many, it
 *   throws a UserError and does nothing
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
        places: readonly WatchId[],
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
   * Changes each watch to its target state, unless another person has changed it since the dry run.
   *
   * @returns the targets whose watches were changed by others
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
    // Based on the targets, because some may have been reached before a restart.
    const reached = targets.filter((target) => !overtaken.includes(target));
    await changes.note(ownerId, addedBy, reached.flatMap(madeOf));
    await documents.delete(ownerId);
    log.info({ event: 'import.finished', guild: ownerId, import: id, watches: targets.length });
    return overtaken;
  };

  /** Finishes an import that was interrupted. */
  const finish = async (ownerId: string): Promise<void> => {
    const begun = await documents.get(ownerId);
    if (typeof begun?.sinceSeconds === 'number') await carryOut(begun, begun.sinceSeconds);
  };

  return {
    /**
     * Serializes work from reading a file to its dry run, per owner.
     *
     * @throws UserError while other work of the owner is running
     */
    alone,
    /**
     * Stores a dry run in place of an earlier one. An import that was being applied is finished
     * first. Call it within `alone`.
     */
    async propose(pending: PendingImport): Promise<void> {
      await finish(pending.ownerId);
      await documents.set(pending.ownerId, pending);
    },
    /**
     * @throws UserError if the import was applied, canceled, replaced by a later one, or has
     *   expired
     */
    find,
    /** @throws UserError if the import is over or is being applied */
    cancel: ({ ownerId, id }: PendingImport): Promise<void> =>
      alone(ownerId, async () => {
        const pending = await find(ownerId, id);
        if (pending.sinceSeconds !== null) {
          throw new UserError(({ texts }) => texts.files.import.brokenOff);
        }
        await documents.delete(ownerId);
      }),
    /**
     * Applies the whole import. The start time is stored first; if the process ends before it is
     * done, the next start finishes it.
     *
     * @param sinceSeconds time from which new watches announce, by the venue's clock
     * @returns targets whose watches others changed during the import; they stay as those people
     *   left them
     * @throws UserError if the import is over, a watch differs from the dry run, or the owner would
     *   exceed a quota; nothing changes then
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
     * Deletes an owner's waiting import.
     *
     * @throws UserError while an import is being applied
     */
    forget: (ownerId: string): Promise<void> => alone(ownerId, () => documents.delete(ownerId)),
    /** Deletes an owner's waiting import if it is this person's and applying has not begun. */
    forgetPerson: (ownerId: string, personId: string): Promise<void> =>
      alone(ownerId, async () => {
        const pending = await documents.get(ownerId);
        if (pending?.userId === personId && pending.sinceSeconds === null) {
          await documents.delete(ownerId);
        }
      }),
    /** Finishes interrupted imports. Called at startup, after the registry has been loaded. */
    async finish(): Promise<void> {
      for (const ownerId of documents.ids()) await finish(ownerId);
    },
  };
}

/**
 * A planned change of a watch. `parts`: the changed fields, by their names in the file; empty for a
 * new watch.
 */
export interface PlannedChange {
  readonly target: Target;
  readonly parts: readonly string[];
}

/**
 * Compares a file's orders with the present watches. Fields and watches that the file does not
 * mention stay as they are.
 *
 * @param nowSeconds the venue's clock; an expired pause counts as none
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
 * Determines the step left for a target: `done` if the watch already matches, `overtaken` if it has
 * been changed since the dry run.
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
 * Changes a watch to its target state.
 *
 * @returns the step taken; `overtaken` if the watch has been changed since the dry run
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

/** Returns the changed watch. Events during a pause that the change ends are not announced. */
function changedTo(watch: Watch, wanted: Changeable, atSeconds: number): Watch {
  const endsPause = isPaused(watch, atSeconds) && !isPaused(wanted, atSeconds);
  const present = endsPause ? announcingFrom(watch, atSeconds) : watch;
  return { ...present, ...wanted };
}

/** Describes an import's change of a watch. */
function madeOf({ before, ...wanted }: Target): Made[] {
  const { channelId, wallet } = wanted;
  if (before === null) return [{ channelId, wallet, deed: 'added', parts: [] }];
  const made = changeOf(before, wanted);
  return made === undefined ? [] : [made];
}

/** Returns the fields that differ, by their names in the file. */
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
 * Creates a function that runs one piece of work per owner at a time.
 *
 * @throws UserError while other work of the owner is running
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
