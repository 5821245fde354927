import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { KNOWLEDGE } from '../../alerts/build.ts';
import { endpointSchemas, resetWallet } from '../../alerts/intake.ts';
import { looseDocumentSchema, storedAlertSchema, WALLET_PREFIX, type WalletDocument } from '../../alerts/outbox.ts';
import { walletSchema } from '../../domain/address.ts';
import { knowledgeSchema } from '../../portfolio/wallet-knowledge.ts';
import type { Watch } from '../../watches/watch.ts';
import type { Description } from './description.ts';

/** A wallet's document. Null if it is none. */
export function readWallet(key: string, stored: unknown): Description | null {
  const wallet = walletSchema.safeParse(key.slice(WALLET_PREFIX.length));
  const parsed = looseDocumentSchema.safeParse(stored);
  if (!wallet.success || !parsed.success) return null;
  const outbox = parsed.data.outbox.flatMap((alert) => storedAlertSchema.safeParse(alert).data ?? []);
  const unreadable = parsed.data.outbox.length - outbox.length;
  const parts = unreadable === 0 ? [] : [`alerts: ${unreadable}`];
  const poll: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(parsed.data.poll)) {
    const isReadable = partSchema(name)?.safeParse(part).success === true;
    if (!isReadable) parts.push(name);
    // The bot itself tells the channels of a state that cannot be read. Without one it would announce everything again.
    if (isReadable || isEndpoint(name)) poll[name] = part;
  }
  return parts.length === 0 ? {} : { damage: { parts, sound: { ...parsed.data, poll, outbox } } };
}

/** A wallet's document without what is of some channels; what cannot be read stays. The document itself if it has nothing of them. */
export function withoutChannels(stored: unknown, channels: ReadonlySet<string>): unknown {
  const parsed = looseDocumentSchema.safeParse(stored);
  if (!parsed.success) return stored;
  const { poll, ...document } = parsed.data;
  const isLeft = ({ channelId }: { readonly channelId: string }) => !channels.has(channelId);
  const outbox = document.outbox.flatMap((stays) => {
    const alert = storedAlertSchema.safeParse(stays).data;
    if (alert === undefined) return [stays];
    const left = alert.channels.filter((channelId) => !channels.has(channelId));
    return left.length === 0 ? [] : [{ ...alert, channels: left }];
  });
  const knowledge = knowledgeSchema.safeParse(poll[KNOWLEDGE]).data;
  const kept = knowledge && {
    [KNOWLEDGE]: {
      ...knowledge,
      alertedPositions: knowledge.alertedPositions.filter(isLeft),
      announced: knowledge.announced.filter(isLeft),
    },
  };
  const left = { ...document, poll: { ...poll, ...kept }, outbox };
  return isDeepStrictEqual(left, stored) ? stored : left;
}

/**
 * What stands for the document of a watched wallet that cannot be read. Without one everything since the watches began would be
 * announced again; with this one it begins anew, and its channels are told of the gap.
 *
 * @param watches of the wallet, at least one
 */
export function walletAnew([first, ...others]: readonly [Watch, ...Watch[]], nowMs: number): WalletDocument {
  const { poll, alerts } = resetWallet(first.wallet, [first, ...others], nowMs);
  return { version: 1, poll, outbox: alerts.filter(({ channels }) => channels.length > 0) };
}

/** The schema of a part of the poll state; undefined for one of nobody. */
function partSchema(name: string): z.ZodType | undefined {
  if (name === KNOWLEDGE) return knowledgeSchema;
  return isEndpoint(name) ? endpointSchemas[name] : undefined;
}

function isEndpoint(name: string): name is keyof typeof endpointSchemas {
  return Object.hasOwn(endpointSchemas, name);
}
