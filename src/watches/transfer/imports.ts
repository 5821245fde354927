import * as z from 'zod';
import { UserError } from '../../language/user-error.ts';
import type { Machine } from '../../lib/machine.ts';
import type { Loaded, Store } from '../../store/store.ts';
import { ownerIdSchema, snowflake } from '../owner.ts';
import type { Registry } from '../registry.ts';
import { isPaused } from '../watch.ts';
import { standing, type Target, targetSchema } from './plan.ts';

export const IMPORT_PREFIX = 'import:';
/** A dry run that is older has to be made again. */
const LIFE_MS = 3_600_000;

/** What an import is stored as. */
export const pendingSchema = z.object({
  version: z.literal(1),
  /** Of the command; the buttons carry it. */
  id: snowflake,
  ownerId: ownerIdSchema,
  userId: snowflake,
  /** Whether the person could manage the server when the file was sent: then that must still hold. */
  isManager: z.boolean(),
  createdAtMs: z.number(),
  /** Set when it begins to be applied, Unix seconds by the venue's clock: new watches announce from then on. */
  sinceSeconds: z.number().nullable(),
  targets: z.array(targetSchema),
});

/** An import after its dry run, or one that is being applied. */
export type PendingImport = z.infer<typeof pendingSchema>;

export type Imports = ReturnType<typeof createImports>;

/**
 * The one import of each owner that waits for a yes. Kept in the store, so that its buttons outlive a restart.
 *
 * @param parts `withSpaceFor` does work that adds watches to an owner; it throws a UserError, and does nothing, if it would have more than it may
 */
export function createImports(
  { nowMs, log, onFailpoint }: Machine,
  {
    store,
    registry,
    quotas,
  }: {
    readonly store: Pick<Store, 'get' | 'set' | 'delete'>;
    readonly registry: Pick<Registry, 'get' | 'add' | 'update'>;
    readonly quotas: {
      withSpaceFor<Result>(ownerId: string, count: number, work: () => Promise<Result>): Promise<Result>;
    };
  },
) {
  const begun: PendingImport[] = [];
  const reading = new Set<string>();
  const applying = new Set<string>();

  const isExpired = ({ sinceSeconds, createdAtMs }: PendingImport) =>
    sinceSeconds === null && nowMs() - createdAtMs >= LIFE_MS;

  const read = (document: unknown): PendingImport | undefined => {
    const parsed = pendingSchema.safeParse(document);
    return parsed.success && !isExpired(parsed.data) ? parsed.data : undefined;
  };

  const present = async (ownerId: string, id: string) => {
    const pending = read(await store.get(IMPORT_PREFIX + ownerId));
    return pending?.id === id && pending.ownerId === ownerId ? pending : undefined;
  };

  const standingOf = (target: Target) => standing(target, registry.get(target.channelId, target.wallet));

  /** Brings one watch to where it should be, unless somebody has changed it in the meantime. */
  const carryOut = async (pending: PendingImport, sinceSeconds: number, target: Target) => {
    const { before, ...wanted } = target;
    const { channelId, wallet } = target;
    const step = standingOf(target);
    const watch = registry.get(channelId, wallet);
    if (step === 'add') {
      await registry.add({
        version: 1,
        ownerId: pending.ownerId,
        ...wanted,
        sinceSeconds,
        knownIdentities: [],
        addedBy: pending.userId,
      });
    } else if (step === 'update' && watch !== undefined) {
      // What happened in a pause that ends here is not announced.
      const endsPause = isPaused(watch, sinceSeconds) && !isPaused(wanted, sinceSeconds);
      await registry.update({
        ...watch,
        ...wanted,
        sinceSeconds: endsPause ? Math.max(watch.sinceSeconds, sinceSeconds) : watch.sinceSeconds,
      });
    } else if (step === 'overtaken') {
      log.warn({ event: 'import.overtaken', guild: pending.ownerId, channel: channelId, wallet });
    }
  };

  const carryOutAll = async (pending: PendingImport, sinceSeconds: number) => {
    const { ownerId, id, targets } = pending;
    for (const target of targets) {
      await carryOut(pending, sinceSeconds, target);
      onFailpoint('import.stored');
    }
    await store.delete(IMPORT_PREFIX + ownerId);
    log.info({ event: 'import.finished', guild: ownerId, import: id, watches: targets.length });
  };

  /** Does work for an owner unless some is being done already. */
  const exclusively =
    (busy: Set<string>) =>
    async <Result>(ownerId: string, work: () => Promise<Result>): Promise<Result> => {
      if (busy.has(ownerId)) throw new UserError(({ texts }) => texts.files.import.busy);
      busy.add(ownerId);
      try {
        return await work();
      } finally {
        busy.delete(ownerId);
      }
    };
  const alone = exclusively(applying);

  return {
    /** Reads a file: one at a time for each owner. @throws UserError while another is being read */
    alone: exclusively(reading),
    /** Keeps a dry run in the place of an earlier one. @throws UserError while another is being applied */
    propose: (pending: PendingImport): Promise<void> =>
      alone(pending.ownerId, async () => {
        const earlier = read(await store.get(IMPORT_PREFIX + pending.ownerId));
        // One that was begun and broken off is finished first: what it has begun must not stay half done.
        if (earlier !== undefined && earlier.sinceSeconds !== null) await carryOutAll(earlier, earlier.sinceSeconds);
        await store.set(IMPORT_PREFIX + pending.ownerId, pending);
      }),
    /** @returns undefined if it is over: applied, cancelled, replaced by a later one, or too old */
    find: present,
    /** @throws UserError if it is over, or has begun to be applied */
    cancel: ({ ownerId, id }: PendingImport): Promise<void> =>
      alone(ownerId, async () => {
        const pending = await present(ownerId, id);
        if (pending === undefined) throw over();
        if (pending.sinceSeconds !== null) {
          throw new UserError(({ texts }) => texts.files.import.brokenOff);
        }
        await store.delete(IMPORT_PREFIX + ownerId);
      }),
    /**
     * Does all of it. That it has begun is stored first, with the time: if the process ends in between, the next start
     * finishes it.
     *
     * @param sinceSeconds from when on new watches announce, by the venue's clock
     * @throws UserError if it is over, a watch is not as the dry run saw it, or the owner has no room; nothing is changed then
     */
    apply: ({ ownerId, id }: PendingImport, sinceSeconds: number): Promise<void> =>
      alone(ownerId, async () => {
        const pending = await present(ownerId, id);
        if (pending === undefined) throw over();
        if (pending.sinceSeconds !== null) return carryOutAll(pending, pending.sinceSeconds);
        const steps = pending.targets.map(standingOf);
        if (steps.includes('overtaken')) {
          throw new UserError(({ texts }) => texts.files.import.overtaken);
        }
        const added = steps.filter((step) => step === 'add').length;
        await quotas.withSpaceFor(pending.ownerId, added, async () => {
          await store.set(IMPORT_PREFIX + pending.ownerId, { ...pending, sinceSeconds });
          await carryOutAll(pending, sinceSeconds);
        });
      }),
    /** Deletes what waits for an owner. @throws UserError while one is being applied */
    forget: (ownerId: string): Promise<void> => alone(ownerId, () => store.delete(IMPORT_PREFIX + ownerId)),
    /** Takes a document that was read at the start. */
    load(document: unknown): Loaded {
      const parsed = pendingSchema.safeParse(document);
      if (!parsed.success) return 'unreadable';
      if (isExpired(parsed.data)) return 'expired';
      if (parsed.data.sinceSeconds !== null) begun.push(parsed.data);
      return 'kept';
    },
    /** At the start, when the registry is there: finishes what was begun. */
    async finish(): Promise<void> {
      for (const pending of begun.splice(0)) {
        if (pending.sinceSeconds !== null) await carryOutAll(pending, pending.sinceSeconds);
      }
    },
  };
}

/** What to answer somebody whose import is not there any more. */
export function over(): UserError {
  return new UserError(({ texts }) => texts.files.import.over);
}
