import fc from 'fast-check';
import { initialDetectionState } from '../../src/alerts/detect.ts';
import { EMPTY_CHANNEL_QUEUE } from '../../src/delivery/channel-queue.ts';
import { NO_FILTERS } from '../../src/lookups/filters.ts';
import { createSchedule } from '../../src/poll-policy/schedule.ts';
import { newPortfolio } from '../../src/portfolio/portfolio.ts';
import { EMPTY_RECORD } from '../../src/portfolio/record/record.ts';
import { defaultChannelSettings } from '../../src/watches/channel-settings.ts';
import { personOwner } from '../../src/watches/owner.ts';

const GUILDS = 12;
/** Stands for the person instead of a server's number. */
export const PERSON = GUILDS;
const PERSON_ID = '333333333333333333';
const CHANNELS = 10;
const WALLETS = 5;

/** Returns a server id. The ids are spread over all shards for small numbers of shards. */
export function guildId(guild: number): string {
  return String(
    (BigInt(guild) << 22n) +
      1_100_000_000_000_000_000n -
      (1_100_000_000_000_000_000n % (720_720n << 22n)),
  );
}

/** Returns the id of a server or of the person. */
function ownerId(guild: number): string {
  return guild === PERSON ? personOwner(PERSON_ID) : guildId(guild);
}

export function channelId(channel: number): string {
  return String(2_200_000_000_000_000_000n + BigInt(channel));
}

export function walletAddress(wallet: number): string {
  return `0x${wallet.toString(16).padStart(40, '0')}`;
}

const index = (count: number) => fc.nat({ max: count - 1 });

const listOf = <Item>(item: fc.Arbitrary<Item>, maxLength: number) => fc.array(item, { maxLength });

/**
 * The possible contents of a store with many servers: watches, and the waiting, followed and
 * remembered data.
 */
export const worldPlans = fc.record({
  /**
   * For each channel, its server (`PERSON` means a person's direct message) and the documents
   * stored in addition to its watches.
   */
  channels: fc.array(
    fc.record({
      guild: index(GUILDS + 1),
      isSet: fc.boolean(),
      hasDigest: fc.boolean(),
      isBusy: fc.boolean(),
      hasDead: fc.boolean(),
    }),
    { minLength: CHANNELS, maxLength: CHANNELS },
  ),
  watches: listOf(fc.record({ channel: index(CHANNELS), wallet: index(WALLETS) }), 20),
  /** Waiting alerts, positions, records and consensus alerts of a wallet in some channels. */
  alerts: listOf(
    fc.record({
      wallet: index(WALLETS),
      channels: fc.uniqueArray(index(CHANNELS), { minLength: 1 }),
    }),
    8,
  ),
  followed: listOf(fc.record({ wallet: index(WALLETS), channel: index(CHANNELS) }), 12),
  guildDocuments: listOf(
    fc.record({
      guild: index(GUILDS + 1),
      kind: fc.constantFrom('resting' as const, 'import' as const, 'list' as const),
    }),
    8,
  ),
  /** Whether a quarantined document of a watch is stored. */
  isOld: fc.boolean(),
});
export type WorldPlan = typeof worldPlans extends fc.Arbitrary<infer Plan> ? Plan : never;

/** A world with something of every kind. */
export const FULL_WORLD: WorldPlan = {
  channels: Array.from({ length: CHANNELS }, (_, channel) => ({
    guild: channel === 7 ? PERSON : channel % 6,
    isSet: true,
    hasDigest: channel % 2 === 0,
    isBusy: true,
    hasDead: channel % 3 === 0,
  })),
  watches: Array.from({ length: 15 }, (_, watch) => ({
    channel: (watch * 3) % CHANNELS,
    wallet: watch % WALLETS,
  })),
  alerts: [
    { wallet: 0, channels: [0, 3, 5] },
    { wallet: 1, channels: [1, 2, 3, 4] },
    { wallet: 4, channels: [9] },
  ],
  followed: Array.from({ length: 12 }, (_, number) => ({
    wallet: number % WALLETS,
    channel: number % CHANNELS,
  })),
  guildDocuments: [
    { guild: 1, kind: 'resting' },
    { guild: 2, kind: 'import' },
    { guild: 2, kind: 'list' },
    { guild: 3, kind: 'list' },
  ],
  isOld: false,
};

/** Returns the documents of a world, by key. */
export function worldDocuments(plan: WorldPlan): Map<string, unknown> {
  const outage = { endpoints: ['activity'], sinceMs: 1, untilMs: null, changedAtMs: 2 };
  const documents = new Map<string, unknown>([
    ['schedule:shared', createSchedule().sharedLearning()],
    ['ratelimit', { limit: 300, windowMs: 60_000, faster: { limit: 10, windowMs: 1_000 } }],
    ['settlements:0', { markets: [['0123456789', 480_000, [['abcdefghij', 1]]]] }],
    ['outage', { ...outage, cause: 'unreachable' }],
    ['refusal', { ...outage, cause: 'endpoint' }],
    ['lateness', { ...outage, cause: 'late' }],
  ]);
  for (const watch of plan.watches) addWatch(documents, plan, watch);
  for (const [channel, settings] of plan.channels.entries())
    addChannel(documents, channel, settings);
  const wallets = new Set(
    [...plan.watches, ...plan.alerts, ...plan.followed].map(({ wallet }) => wallet),
  );
  for (const wallet of wallets) addWallet(documents, plan, wallet);
  for (const [number, { guild, kind }] of plan.guildDocuments.entries()) {
    addGuildDocument(documents, number, ownerId(guild), kind);
  }
  if (plan.isOld)
    documents.set(`quarantine:watch:${channelId(0)}:${walletAddress(0)}`, { old: true });
  return documents;
}

function addWatch(
  documents: Map<string, unknown>,
  { channels }: WorldPlan,
  watch: WorldPlan['watches'][number],
): void {
  documents.set(`watch:${channelId(watch.channel)}:${walletAddress(watch.wallet)}`, {
    ownerId: ownerId(channels[watch.channel]?.guild ?? 0),
    channelId: channelId(watch.channel),
    wallet: walletAddress(watch.wallet),
    label: 'Wörld',
    sinceSeconds: 1_700_000_000,
    knownIdentities: [],
    addedBy: '123456789012345678',
  });
}

function addChannel(
  documents: Map<string, unknown>,
  channel: number,
  { guild, isSet, hasDigest, isBusy, hasDead }: WorldPlan['channels'][number],
): void {
  const ids = { ownerId: ownerId(guild), channelId: channelId(channel) };
  if (isSet)
    documents.set(`channel:${ids.channelId}`, defaultChannelSettings(ids.ownerId, ids.channelId));
  if (hasDigest) {
    documents.set(`verdict:${ids.channelId}:${walletAddress(0)}`, {
      ...{ ...ids, wallet: walletAddress(0), beganSeconds: 1_795_000_000 },
      ...{ state: 'better', among: 1, changedSeconds: 1_796_000_000 },
    });
    if (!ids.ownerId.startsWith('@')) {
      documents.set(`changes:${ids.ownerId}`, {
        ownerId: ids.ownerId,
        changes: [
          {
            atMs: 1_796_000_000_000,
            by: '123456789012345678',
            channelId: ids.channelId,
            wallet: null,
            deed: 'paused',
            parts: [],
          },
        ],
      });
    }
    documents.set(`digest:${ids.channelId}`, {
      ...ids,
      schedule: { every: 'day', atMinutes: 480, weekday: 'Monday', timeZone: 'UTC' },
      offSinceMs: null,
      doneUntilMs: 1,
      coveredMs: null,
      underWay: null,
    });
  }
  const cooldowns = { markets: { a: { atMs: 1, coversMs: 2 } }, mentions: {} };
  if (isBusy) {
    documents.set(`queue:${ids.channelId}`, { ...EMPTY_CHANNEL_QUEUE, cooldowns });
  }
  if (guild === PERSON) {
    const person = { personId: PERSON_ID, channelId: ids.channelId, language: 'de' };
    documents.set(`person:${PERSON_ID}`, person);
  } else {
    documents.set(`welcome:${ids.ownerId}`, {
      guildId: ids.ownerId,
      invitedAtMs: 1,
      underWay: null,
    });
  }
  if (!hasDead) return;
  documents.set(`later:alerts-${ids.ownerId}:${channel}`, {
    ownerId: ids.ownerId,
    alerts: [
      {
        ...{ id: 'x', wallet: walletAddress(0), ownerId: ids.ownerId, event: gapEvent(0) },
        ...{ seenAtMs: 3, sequence: 1, isLate: false, isBetterThanLuck: false },
        watches: [{ channel: ids.channelId, label: null, wanted: true }],
      },
    ],
  });
  documents.set(`later:${ids.channelId}:0`, {
    ...ids,
    alerts: [{ id: 'x', wallet: walletAddress(0), event: gapEvent(0), seenAtMs: 3 }],
  });
  for (const prefix of ['notice:', 'refused:', 'late:']) {
    documents.set(`${prefix}${ids.channelId}`, {
      outageSinceMs: 1,
      startedAtMs: 2,
      messageId: null,
      shownMs: null,
      isGone: false,
    });
  }
  documents.set(`details:${ids.channelId}:${walletAddress(0)}:x`, {
    ...ids,
    wallet: walletAddress(0),
    reference: 'x',
    createdAtMs: 1,
    seenAtMs: 1,
    target: { marketId: '1', action: 'Buy', outcomeIndex: 0, fromSeconds: 1, toSeconds: 2 },
    identities: null,
    position: null,
    size: null,
    results: [],
    record: null,
  });
  documents.set(`dead:${ids.channelId}:${walletAddress(0)}:x`, {
    alert: {
      id: 'x',
      wallet: walletAddress(0),
      channelId: ids.channelId,
      event: gapEvent(0),
      seenAtMs: 3,
    },
    reason: 'too long',
    atMs: 4,
  });
}

function gapEvent(number: number) {
  return {
    kind: 'gap',
    gap: { cause: 'overflow', endpoint: 'activity', fromSeconds: number, toSeconds: number + 1 },
  };
}

function addWallet(documents: Map<string, unknown>, plan: WorldPlan, wallet: number): void {
  const ofWallet = <Item extends { readonly wallet: number }>(items: readonly Item[]) =>
    items.filter((item) => item.wallet === wallet);
  const followed = [...new Set(ofWallet(plan.followed).map(({ channel }) => channelId(channel)))];
  const market = { marketTitle: 'Rain?', marketId: '1', marketSlug: 'rain', eventSlug: 'weather' };
  const amounts = { paid: '1', received: '2', fees: '0' };
  const endpoint = { detectionState: initialDetectionState(1_700_000_000), pollId: 7 };
  const position = {
    ...{ market, key: 'm', messageId: null, openedSeconds: 1, soldSeconds: null },
    outcomes: [{ outcome: 'o', side: 'Yes', shares: '1', ...amounts }],
  };
  // Stored in the channel's document for some channels, in the wallet's document for the others.
  const isPosted = (channel: string) => Number(channel.at(-1)) % 2 === 0;
  for (const channel of followed.filter(isPosted)) {
    documents.set(`posted:${channel}:${walletAddress(wallet)}`, {
      ...{ channelId: channel, wallet: walletAddress(wallet), revision: 3 },
      ...{ positions: [position], done: ['gone'], reached: ['other'], added: [] },
    });
  }
  documents.set(`wallet:${walletAddress(wallet)}`, {
    state: {
      activity: endpoint,
      'deposits-withdrawals': endpoint,
      knowledge: {
        portfolio: newPortfolio(0, true),
        entries: [
          {
            outcome: 'o',
            market: 'm',
            side: 'Yes',
            atSeconds: 5,
            shares: '1',
            usdc: '1',
            netUsdc: '1',
            sold: '0',
          },
        ],
        alertedPositions: Object.fromEntries(
          followed.filter((channel) => !isPosted(channel)).map((channel) => [channel, [position]]),
        ),
        unannounced: followed.map((channel) => ({ outcome: `of ${channel}`, channels: [channel] })),
        record: EMPTY_RECORD,
        unread: null,
        questions: [],
        refusedMarkets: [],
        givenUpMarkets: [],
        announcedConsensus: followed.map((channel) => ({
          channelId: channel,
          outcome: 'o',
          wallets: 2,
          fromSeconds: 1,
          toSeconds: 2,
        })),
      },
    },
    outbox: ofWallet(plan.alerts).map(({ channels }, number) => ({
      id: `alert${number}`,
      event: gapEvent(number),
      seenAtMs: number,
      channels: channels.map(channelId),
    })),
    revision: 3,
  });
  documents.set(`schedule:${walletAddress(wallet)}`, { learned: { activity: [1, 2] } });
}

function addGuildDocument(
  documents: Map<string, unknown>,
  number: number,
  guild: string,
  kind: WorldPlan['guildDocuments'][number]['kind'],
): void {
  if (kind === 'resting') {
    documents.set(`resting:${guild}`, { ownerId: guild, sinceSeconds: 1, isGone: false });
  } else if (kind === 'import') {
    documents.set(`import:${guild}`, {
      id: '123456789012345678',
      ownerId: guild,
      userId: '123456789012345678',
      isManager: true,
      createdAtMs: 1,
      sinceSeconds: null,
      targets: [],
    });
  } else {
    documents.set(`list:${number}`, {
      list: 'activity',
      ownerId: guild,
      typed: '',
      wallet: walletAddress(0),
      filters: NO_FILTERS,
      anchorSeconds: null,
      asOfSeconds: 1,
      createdAtMs: 1,
      language: 'de',
    });
  }
}
