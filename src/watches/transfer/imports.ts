import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type WalletAddress, walletSchema } from '../../domain/address.ts';
import { UserError } from '../../language/user-error.ts';
import type { Machine } from '../../lib/machine.ts';
import { type Archive, defineArchive } from '../../store/collection.ts';
import { ownerIdSchema, snowflake } from '../owner.ts';
import type { Registry } from '../registry.ts';
import { announcingFrom, isPaused, type Watch, watchSchema } from '../watch.ts';
import { DEFAULT_SETTINGS, SETTING_NAMES, settingsSchema } from '../watch-settings.ts';
import type { Order } from './fields.ts';

/** A dry run that is older has to be made again. */
const LIFE_MS = 3_600_000;

/** A watch as it is to be, and what it was when that was decided. */
const targetSchema = z.object({
  channelId: snowflake,
  wallet: walletSchema,
  label: z.string().nullable(),
  settings: settingsSchema,
  pause: watchSchema.shape.pause,
  /** Digest of the watch then, to notice changes since; null: there was none. */
  before: z.string().nullable(),
});
type Target = z.infer<typeof targetSchema>;
type Adjustable = Pick<Watch, 'label' | 'settings' | 'pause'>;

const pendingSchema = z.object({
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

/** By owner: of each the one that waits, or was begun. */
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
 * The one import of each owner that waits for a yes. Kept in the store, so that its buttons outlive a restart.
 *
 * @param parts `withSpaceFor` does work that adds watches to an owner; it throws a UserError, and does nothing, if it would have more than it may
 */
export function createImports(
  { log, onFailpoint }: Machine,
  {
    pending: documents,
    registry,
    quotas,
  }: {
    readonly pending: Archive<PendingImport>;
    readonly registry: Pick<Registry, 'get' | 'add' | 'update'>;
    readonly quotas: {
      withSpaceFor<Result>(ownerId: string, count: number, work: () => Promise<Result>): Promise<Result>;
    };
  },
) {
  const reading = new Set<string>();
  const applying = new Set<string>();

  const find = async (ownerId: string, id: string): Promise<PendingImport> => {
    const pending = await documents.get(ownerId);
    if (pending?.id !== id) throw new UserError(({ texts }) => texts.files.import.over);
    return pending;
  };

  /** Brings each watch to where it should be, unless somebody has changed it in the meantime. */
  const carryOut = async ({ ownerId, id, userId: addedBy, targets }: PendingImport, sinceSeconds: number) => {
    for (const target of targets) {
      const { before: _, ...wanted } = target;
      const { channelId, wallet } = target;
      const watch = registry.get(channelId, wallet);
      const step = standing(target, watch);
      if (step === 'add') {
        await registry.add({ version: 1, ownerId, ...wanted, sinceSeconds, knownIdentities: [], addedBy });
      } else if (step === 'update' && watch !== undefined) {
        // What happened in a pause that ends here is not announced.
        const endsPause = isPaused(watch, sinceSeconds) && !isPaused(wanted, sinceSeconds);
        await registry.update({ ...(endsPause ? announcingFrom(watch, sinceSeconds) : watch), ...wanted });
      } else if (step === 'overtaken') {
        log.warn({ event: 'import.overtaken', guild: ownerId, channel: channelId, wallet });
      }
      onFailpoint('import.stored');
    }
    await documents.delete(ownerId);
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
        const earlier = await documents.get(pending.ownerId);
        // One that was begun and broken off is finished first: what it has begun must not stay half done.
        if (earlier !== undefined && earlier.sinceSeconds !== null) await carryOut(earlier, earlier.sinceSeconds);
        await documents.set(pending.ownerId, pending);
      }),
    /** @throws UserError if it is over: applied, cancelled, replaced by a later one, or too old */
    find,
    /** @throws UserError if it is over, or has begun to be applied */
    cancel: ({ ownerId, id }: PendingImport): Promise<void> =>
      alone(ownerId, async () => {
        const pending = await find(ownerId, id);
        if (pending.sinceSeconds !== null) throw new UserError(({ texts }) => texts.files.import.brokenOff);
        await documents.delete(ownerId);
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
        const pending = await find(ownerId, id);
        if (pending.sinceSeconds !== null) return carryOut(pending, pending.sinceSeconds);
        const steps = pending.targets.map((target) => standing(target, registry.get(target.channelId, target.wallet)));
        if (steps.includes('overtaken')) throw new UserError(({ texts }) => texts.files.import.overtaken);
        const added = steps.filter((step) => step === 'add').length;
        await quotas.withSpaceFor(ownerId, added, async () => {
          await documents.set(ownerId, { ...pending, sinceSeconds });
          await carryOut(pending, sinceSeconds);
        });
      }),
    /** Deletes what waits for an owner. @throws UserError while one is being applied */
    forget: (ownerId: string): Promise<void> => alone(ownerId, () => documents.delete(ownerId)),
    /** At the start, when the registry is there: finishes what was begun. */
    async finish(): Promise<void> {
      for (const ownerId of documents.ids()) {
        const pending = await documents.get(ownerId);
        if (typeof pending?.sinceSeconds === 'number') await carryOut(pending, pending.sinceSeconds);
      }
    },
  };
}

/**
 * Compares what a file wants with the watches that there are. What it does not mention stays; watches that it does not
 * name are left alone.
 *
 * @param nowSeconds venue clock: a pause that is over is none
 * @returns what changes. `parts`: the fields, by their names in the file; empty for a new watch
 */
export function planImport(
  orders: readonly Order[],
  find: (channelId: string, wallet: WalletAddress) => Watch | undefined,
  nowSeconds: number,
) {
  const current = (watch: Pick<Watch, 'pause'>) => (isPaused(watch, nowSeconds) ? watch.pause : null);
  return orders.flatMap(({ channelId, wallet, label, settings, pause }) => {
    const watch = find(channelId, wallet);
    const present: Adjustable = watch ?? { label: null, settings: DEFAULT_SETTINGS, pause: null };
    const wanted: Adjustable = {
      label: label === undefined ? present.label : label,
      settings: { ...present.settings, ...settings },
      pause: current(pause === undefined ? present : { pause }),
    };
    const parts = watch === undefined ? [] : differences({ ...watch, pause: current(watch) }, wanted);
    if (watch !== undefined && parts.length === 0) return [];
    const target: Target = { channelId, wallet, ...wanted, before: watch === undefined ? null : digest(watch) };
    return [{ target, parts, oldLabel: present.label }];
  });
}
export type Change = ReturnType<typeof planImport>[number];

/** What is left to do for a target: `done` if the watch is so already, `overtaken` if somebody has changed it since. */
export function standing(target: Target, watch: Watch | undefined): 'add' | 'update' | 'done' | 'overtaken' {
  if (watch === undefined) return target.before === null ? 'add' : 'overtaken';
  const present = digest(watch);
  if (present === digest(target)) return 'done';
  return present === target.before ? 'update' : 'overtaken';
}

/** A hash of all that an import can change; equal for equal watches. */
function digest({ label, settings, pause }: Adjustable): string {
  const essence = JSON.stringify([label, settingsSchema.parse(settings), pause]);
  return createHash('sha256').update(essence).digest('base64url').slice(0, 22);
}

function differences(present: Adjustable, wanted: Adjustable): string[] {
  const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  const [before, after] = [settingsSchema.parse(present.settings), settingsSchema.parse(wanted.settings)];
  return [
    ...(differs(present.label, wanted.label) ? ['label'] : []),
    ...SETTING_NAMES.filter((name) => differs(before[name], after[name])),
    ...(differs(present.pause, wanted.pause) ? ['paused'] : []),
  ];
}
