import type { Decimal } from 'decimal.js';
import { type AlertGroup, walletOf } from '../alerts/alert-group.ts';
import { groupAlerts, usdcOf } from '../alerts/group.ts';
import type { WalletAddress } from '../feed/interface.ts';
import type { WatchSettings } from '../watches/watch-settings.ts';
import { type Cooldowns, isMentionCooling } from './cooldowns.ts';

/** How much noise a message makes. */
export interface Noise {
  /** Roles that it mentions, each once. */
  readonly roleIds: readonly string[];
  /** It makes no sound. */
  readonly isSilent: boolean;
}

export interface NoiseContext {
  /** The venue's clock, epoch milliseconds. */
  readonly nowMs: number;
  readonly settingsOf: (wallet: WalletAddress) => WatchSettings | undefined;
  readonly cooldowns: Cooldowns;
}

/**
 * Whom a message mentions and whether it may make a sound. A role is mentioned when an alert of it reaches its least
 * USDC and its cooldown is over. Silent is what mentions nobody and has nothing that may be heard.
 *
 * @returns with it the wallets whose mention cooldown begins
 */
export function decideMentions(
  groups: readonly AlertGroup[],
  { nowMs, settingsOf, cooldowns }: NoiseContext,
): { readonly noise: Noise; readonly mentioned: readonly WalletAddress[] } {
  const roleIds = new Set<string>();
  const mentioned = new Set<WalletAddress>();
  let isSilent = true;
  for (const group of groups) {
    const wallet = walletOf(group);
    const settings = settingsOf(wallet);
    const totals = totalsOf(group);
    // A notice that something may be missing may always be heard.
    if (!totals.every((usdc) => usdc?.lt(settings?.silentBelowUsdc ?? 0) ?? false)) isSilent = false;
    const mention = settings?.mention ?? null;
    if (mention === null || !totals.some((usdc) => usdc?.gte(mention.minUsdc) ?? false)) continue;
    if (isMentionCooling(cooldowns, wallet, mention.cooldownSeconds, nowMs)) continue;
    roleIds.add(mention.roleId);
    mentioned.add(wallet);
  }
  return { noise: { roleIds: [...roleIds], isSilent: isSilent && roleIds.size === 0 }, mentioned: [...mentioned] };
}

/** The USDC of each alert of it: late ones are not worth more for being sent together. Null: a notice. */
function totalsOf({ kind, alerts }: AlertGroup): (Decimal | null)[] {
  return (kind === 'late' ? groupAlerts(alerts) : [alerts]).map(usdcOf);
}
