import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { WalletAddress } from '../../domain/address.ts';
import { walletSchema } from '../../domain/address.ts';
import { snowflake } from '../owner.ts';
import { isPaused, type Watch, watchSchema } from '../watch.ts';
import { DEFAULT_SETTINGS, SETTING_NAMES, settingsSchema, type WatchSettings } from '../watch-settings.ts';
import type { WishedWatch } from './fields.ts';

/** What an import asks for one watch, once channel and role are found in the guild. */
export interface Order {
  readonly channelId: string;
  readonly wallet: WalletAddress;
  readonly label?: string | null;
  readonly settings: Partial<WatchSettings>;
  readonly pause?: Watch['pause'];
}

/** A watch as it is to be, and what it was when that was decided. */
export const targetSchema = z.object({
  channelId: snowflake,
  wallet: walletSchema,
  label: z.string().nullable(),
  settings: settingsSchema,
  pause: watchSchema.shape.pause,
  /** Digest of the watch then, to notice changes since; null: there was none. */
  before: z.string().nullable(),
});
export type Target = z.infer<typeof targetSchema>;

export interface Change {
  readonly target: Target;
  /** The fields that change, by their names in the file; empty for a new watch. */
  readonly parts: readonly string[];
  /** The label until now. */
  readonly oldLabel: string | null;
}

export interface Plan {
  readonly changes: readonly Change[];
  /** Watches that are already as the file wants them. */
  readonly same: number;
}

type Adjustable = Pick<Watch, 'label' | 'settings' | 'pause'>;

/** The wish as an order; what it does not mention stays unmentioned. */
export function orderOf(
  { place: _, settings: filed, ...wanted }: Omit<WishedWatch, 'channel'>,
  channelId: string,
  roleId: string | null,
): Order {
  const { mention: named, ...settings } = filed;
  if (named === undefined) return { ...wanted, channelId, settings };
  if (named === null || roleId === null) return { ...wanted, channelId, settings: { ...settings, mention: null } };
  const { role: _role, ...amounts } = named;
  return { ...wanted, channelId, settings: { ...settings, mention: { roleId, ...amounts } } };
}

/**
 * Compares what a file wants with the watches that there are. What it does not mention stays; watches that it does not
 * name are left alone.
 *
 * @param nowSeconds venue clock: a pause that is over is none
 */
export function planImport(
  orders: readonly Order[],
  find: (channelId: string, wallet: WalletAddress) => Watch | undefined,
  nowSeconds: number,
): Plan {
  const current = (watch: Pick<Watch, 'pause'>) => (isPaused(watch, nowSeconds) ? watch.pause : null);
  const changes: Change[] = [];
  for (const order of orders) {
    const { channelId, wallet } = order;
    const watch = find(channelId, wallet);
    const present: Adjustable = watch ?? { label: null, settings: DEFAULT_SETTINGS, pause: null };
    const wanted: Adjustable = {
      label: order.label === undefined ? present.label : order.label,
      settings: { ...present.settings, ...order.settings },
      pause: current(order.pause === undefined ? present : { pause: order.pause }),
    };
    const parts = differences({ ...present, pause: current(present) }, wanted);
    if (watch !== undefined && parts.length === 0) continue;
    const before = watch === undefined ? null : digest(watch);
    const target = { channelId, wallet, ...wanted, before };
    changes.push({ target, parts: watch === undefined ? [] : parts, oldLabel: present.label });
  }
  return { changes, same: orders.length - changes.length };
}

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
