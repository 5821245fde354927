import type { WalletAddress } from '../../../src/domain/address.ts';
import type { ActivityItem, TransferItem } from '../../../src/domain/records.ts';
import { NO_FILTERS } from '../../../src/lookups/filters.ts';
import { defaultChannelSettings } from '../../../src/watches/channel-settings.ts';
import { DEFAULT_SETTINGS } from '../../../src/watches/watch-settings.ts';
import { trade, transfer } from '../records.ts';
import type { SoakAccount } from './account.ts';
import type { SoakBot } from './bot.ts';
import type { SoakClock } from './clock.ts';
import type { ChannelMood, SoakDiscord } from './discord.ts';
import type { SoakVenue, VenueMood } from './venue.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const FIRST_ID = 100_000_000_000_000_000n;
const WALLETS = 24;
const CHANNELS = 12;
const TRADES_PER_DAY = 8;
const BURST_ITEMS = 130;
const LISTS_PER_DAY = 60;
const POISONED = 0.01;

export type SoakWorld = ReturnType<typeof createSoakWorld>;

/**
 * Creates the events around the bot, day after day. Additions and removals are balanced, so nothing
 * in the bot may grow.
 */
export function createSoakWorld(deps: {
  readonly clock: SoakClock;
  readonly random: () => number;
  readonly bot: SoakBot;
  readonly venue: SoakVenue;
  readonly discord: SoakDiscord;
  readonly account: SoakAccount;
  /** Factor of the number of changes compared to an ordinary day. */
  readonly churn: number;
  /** Sets the error of the bot's wall clock. */
  readonly setWallError: (errorMs: number) => void;
}) {
  const { clock, random, bot, venue, discord, account, churn, setWallError } = deps;
  let mutex = 0;
  const next = () => {
    mutex += 1;
    return mutex;
  };
  let isCalm = false;
  const wallets = new Map<WalletAddress, { readonly perDay: number }>();
  const channels = new Map<string, { mood: ChannelMood; hasView: boolean }>();
  const guildId = String(FIRST_ID);
  const oneOf = <Value>(values: Iterable<Value>): Value | undefined => {
    const list = [...values];
    return list[Math.floor(random() * list.length)];
  };
  const run = (work: () => Promise<unknown>) => void clock.during(work());
  const later = (delayMs: number, work: () => Promise<unknown>) => {
    clock.at(clock.nowMs + delayMs, () => !isCalm && run(work));
  };
  const nextHash = () =>
    `0x${(random() < POISONED ? 'bad' : '').padEnd(3, '0')}${String(next()).padStart(61, '0')}`;
  const isPoisoned = (txHash: string) => txHash.startsWith('0xbad');

  const happen = (wallet: WalletAddress, item: ActivityItem | TransferItem) => {
    venue.add(wallet, 'action' in item ? 'activity' : 'deposits-withdrawals', item);
    for (const { channelId, sinceSeconds } of bot.registry.ofWallet(wallet)) {
      if (item.time < sinceSeconds || channels.get(channelId)?.mood === 'gone') continue;
      account.expect(channelId, wallet, item.txHash, item.time);
      if (isPoisoned(item.txHash)) account.poison(channelId, item.txHash);
    }
  };
  const make = (wallet: WalletAddress) => {
    const time = Math.floor(clock.nowMs / 1000);
    const txHash = nextHash();
    happen(
      wallet,
      random() < 0.1
        ? transfer({ txHash, time })
        : trade({ txHash, time, trader: wallet, quantity: mutex }),
    );
  };
  const tradeOn = (wallet: WalletAddress) => {
    const found = wallets.get(wallet);
    if (found === undefined || isCalm) return;
    clock.at(clock.nowMs + (-Math.log(1 - random()) * DAY_MS) / found.perDay, () => {
      if (isCalm || !wallets.has(wallet)) return;
      make(wallet);
      tradeOn(wallet);
    });
  };

  const watch = async (channelId: string, wallet: WalletAddress) => {
    await bot.registry.add({
      ownerId: guildId,
      channelId,
      wallet,
      label: `trader ${mutex}`,
      sinceSeconds: Math.floor(clock.nowMs / 1000) + 1,
      knownIdentities: [],
      addedBy: guildId,
      settings: {
        ...DEFAULT_SETTINGS,
        style: random() < 0.3 ? 'each' : 'grouped',
        cooldownSeconds: random() < 0.3 ? 1_800 : 0,
        mention: random() < 0.3 ? { roleId: guildId, minUsdc: 1, cooldownSeconds: 600 } : null,
      },
      pause: null,
    });
  };
  const addWallet = async () => {
    const wallet = `0x${next().toString(16).padStart(40, '0')}` as WalletAddress;
    wallets.set(wallet, { perDay: TRADES_PER_DAY * Math.exp(random() * 2 - 1) });
    for (let count = 0; count < 1 + random() * 2; count += 1) {
      const channelId = oneOf(channels.keys());
      if (channelId !== undefined && bot.registry.get(channelId, wallet) === undefined)
        await watch(channelId, wallet);
    }
    tradeOn(wallet);
  };
  const dropWallet = async () => {
    const wallet = oneOf(wallets.keys());
    if (wallet === undefined) return;
    wallets.delete(wallet);
    for (const { channelId } of bot.registry.ofWallet(wallet)) {
      account.release(channelId, wallet);
      await bot.registry.remove(channelId, wallet);
    }
    venue.forget(wallet);
  };
  const addChannel = async () => {
    const channelId = String(FIRST_ID + BigInt(next()));
    const hasView = random() < 0.5;
    channels.set(channelId, { mood: 'open', hasView });
    if (hasView)
      await bot.channelSettings.set(channelId, {
        ...defaultChannelSettings(guildId, channelId),
        view: 'compact',
      });
    for (const wallet of [oneOf(wallets.keys()), oneOf(wallets.keys())]) {
      if (wallet !== undefined) await watch(channelId, wallet);
    }
  };
  /** Does what the bot does when Discord reports a deleted channel. */
  const dropChannel = async () => {
    const channelId = oneOf(channels.keys());
    if (channelId === undefined) return;
    channels.delete(channelId);
    discord.set(channelId, 'gone');
    account.release(channelId);
    for (const { wallet } of bot.registry.ofChannel(channelId))
      await bot.registry.remove(channelId, wallet);
    await bot.deliveryWorker.forget(channelId);
    await bot.channelSettings.delete(channelId);
    discord.forget(channelId);
  };
  const setMood = (channelId: string, mood: ChannelMood) => {
    const channel = channels.get(channelId);
    if (channel === undefined) return;
    channel.mood = mood;
    discord.set(channelId, mood);
    if (mood === 'gone') account.release(channelId);
  };
  const block = async () => {
    const channelId = oneOf(channels.keys());
    if (channelId === undefined) return;
    setMood(channelId, 'forbidden');
    later((1 + 5 * random()) * HOUR_MS, async () => {
      if (!channels.has(channelId)) return;
      setMood(channelId, 'open');
      await bot.deliveryWorker.unblock(channelId);
    });
  };
  const turn = async (id: string) => {
    const wallet = oneOf(wallets.keys());
    if (wallet === undefined) return;
    // Not awaited because the response waits for the budget, and time must go on.
    void bot.venue.activity(wallet, { limit: 10 }, { priority: 'person' }).catch(() => {});
    await bot.pagers.set(id, {
      language: 'en-US',
      list: 'activity',
      ownerId: guildId,
      wallet,
      typed: '',
      filters: NO_FILTERS,
      anchorSeconds: null,
      asOfSeconds: Math.floor(clock.nowMs / 1000),
      createdAtMs: clock.nowMs,
    });
  };
  const harm = (mood: VenueMood, hours: number) => {
    later(DAY_MS * random(), async () => {
      venue.mood = mood;
      clock.at(clock.nowMs + hours * HOUR_MS, () => {
        venue.mood = 'well';
      });
    });
  };

  return {
    /** Creates the first watches. */
    async open() {
      for (let count = 0; count < CHANNELS; count += 1) await addChannel();
      for (let count = 0; count < WALLETS; count += 1) await addWallet();
    },
    /** Schedules the events of the day that begins now. */
    beginDay(day: number) {
      const often = (times: number, work: () => Promise<unknown>) => {
        for (let count = 0; count < times; count += 1) later(DAY_MS * random(), work);
      };
      often(4 * churn, async () => {
        await dropWallet();
        await addWallet();
      });
      often(3 * churn, async () => {
        await dropChannel();
        await addChannel();
      });
      often(2, block);
      often(1, async () => {
        const wallet = oneOf(wallets.keys());
        for (let count = 0; wallet !== undefined && count < BURST_ITEMS; count += 1) make(wallet);
      });
      often(LISTS_PER_DAY, () => turn(String(next())));
      often(1, async () => {
        discord.isDown = true;
        clock.at(clock.nowMs + HOUR_MS * random(), () => {
          discord.isDown = false;
        });
      });
      harm(day % 2 === 0 ? 'down' : 'cut', 0.5);
      if (day % 7 === 2) harm('keyRefused', 2);
      if (day % 7 === 4) harm('noTransfers', 3);
      if (day % 3 === 1) often(1, async () => setWallError((random() - 0.5) * 6 * HOUR_MS));
    },
    /** Fixes all problems and stops the traders. */
    async calm() {
      isCalm = true;
      venue.mood = 'well';
      discord.isDown = false;
      for (const [channelId, { mood }] of channels) {
        if (mood !== 'forbidden') continue;
        setMood(channelId, 'open');
        await clock.during(bot.deliveryWorker.unblock(channelId));
      }
    },
    channels: () => channels.size,
    channelsSet: () => [...channels.values()].filter(({ hasView }) => hasView).length,
  };
}

/** Most lists that may be stored: those of seven days, plus one day in which none was deleted. */
export const LISTS_LIMIT = 8 * LISTS_PER_DAY;
