import type { APIEmbed } from 'discord.js';
import type { WalletAddress } from '../venue/address.ts';
import type { Alert } from './alert.ts';
import { renderCatchUp } from './catch-up.ts';
import { renderAlert } from './embed.ts';
import type { Links } from './links.ts';
import { countForOneMessage, EMBED_LIMITS } from './pack.ts';

export interface ComposeContext {
  /** What the room calls the wallet. */
  readonly labelOf: (wallet: WalletAddress) => string | undefined;
  readonly links: Links;
  /** Epoch milliseconds by the venue's clock: when the message is about to be sent. */
  readonly sentAtMs: number;
  /** Alerts of events that are older than this are no news: a wallet's are told together. */
  readonly catchUpAfterMs: number;
}

/** One message: its embeds, and the alerts that they tell. */
export interface Composed {
  readonly embeds: readonly APIEmbed[];
  readonly alerts: readonly Alert[];
}

/**
 * Makes the next message of what waits for a channel, oldest first: as many alerts as one message holds, at least one
 * if any waits. A wallet's alerts keep their order.
 */
export function compose(waiting: readonly Alert[], context: ComposeContext): Composed {
  const units = firstUnits(waiting, context).map((alerts) => {
    const [first] = alerts;
    const of = { links: context.links, sentAtMs: context.sentAtMs, label: context.labelOf(first.wallet) };
    return { alerts, embed: alerts.length === 1 ? renderAlert(first, of) : renderCatchUp(alerts, of) };
  });
  const told = units.slice(0, countForOneMessage(units.map(({ embed }) => embed)));
  return { embeds: told.map(({ embed }) => embed), alerts: told.flatMap(({ alerts }) => alerts) };
}

type Unit = [Alert, ...Alert[]];

/** What each of the first embeds tells: one alert, or all the old ones that a wallet has up to its first new one. */
function firstUnits(waiting: readonly Alert[], { sentAtMs, catchUpAfterMs }: ComposeContext): Unit[] {
  const isOld = (alert: Alert) => sentAtMs - eventTimeMs(alert) > catchUpAfterMs;
  const units: Unit[] = [];
  const isTaken = new Set<Alert>();
  for (const [index, alert] of waiting.entries()) {
    if (isTaken.has(alert)) continue;
    if (units.length === EMBED_LIMITS.perMessage) break;
    const unit: Unit = [alert];
    if (isOld(alert)) {
      const rest = waiting.slice(index + 1).filter(({ wallet }) => wallet === alert.wallet);
      const firstNew = rest.findIndex((other) => !isOld(other));
      unit.push(...(firstNew < 0 ? rest : rest.slice(0, firstNew)));
    }
    for (const taken of unit) isTaken.add(taken);
    units.push(unit);
  }
  return units;
}

function eventTimeMs({ event }: Alert): number {
  return (event.kind === 'gap' ? event.gap.toSeconds : event.item.time) * 1000;
}
