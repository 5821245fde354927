import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredWallet } from '../../../src/alerts/wallets/wallet-document.ts';
import { dropMoved } from '../../../src/app/load.ts';
import { writeMark } from '../../../src/store/marks.ts';
import { documentStore } from '../../support/documents.ts';
import { quietLog } from '../../support/log.ts';
import { FULL_WORLD, PERSON, worldDocuments, worldPlans } from '../../support/stored-world.ts';
import { randomRuns } from '../../support/thorough.ts';

const COUNT = 6;
const RUNS = randomRuns(40);
const ALL = Array.from({ length: COUNT }, (_, shard) => shard);

/** @param writesLeft after so many writes the process ends */
function storeOf(documents: Map<string, unknown>, writesLeft = Number.POSITIVE_INFINITY) {
  let left = writesLeft;
  const onWrite = () => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  };
  return {
    id: 'here',
    ...documentStore(documents, { onWrite }),
    async *entries() {
      yield* [...documents] as [string, unknown][];
    },
    async *keys(prefix: string) {
      for (const key of documents.keys()) if (key.startsWith(prefix)) yield key;
    },
    endings: async () => new Map<string, string>(),
    close: async () => {},
    prove: async () => {},
  };
}

/** What a store holds of these shards once a bot with them has started on it. */
async function left(
  world: ReadonlyMap<string, unknown>,
  ids: readonly number[],
  killedAfter: number[] = [],
) {
  const documents = new Map(world);
  const others = ALL.filter((shard) => !ids.includes(shard));
  if (others.length > 0) {
    const move = { to: 'there', storeId: 'there', shards: { ids: others, count: COUNT } };
    await writeMark(storeOf(documents), 'moved', { moves: [move] });
  }
  for (const writes of killedAfter)
    await dropMoved(storeOf(documents, writes), quietLog()).catch(() => {});
  await dropMoved(storeOf(documents), quietLog());
  documents.delete('moved');
  return documents;
}

type Wallet = StoredWallet & { readonly state: Required<StoredWallet['state']> };

const isShared = (key: string) =>
  /^(wallet:|schedule:|ratelimit$|settlements:|outage$|refusal$|lateness$|quarantine:)/.test(key);

/** Everything that is of a channel whose server is known, each as a text of its own. */
function pieces(documents: ReadonlyMap<string, unknown>, channels: ReadonlySet<string>): string[] {
  const ofWallets = [...documents].flatMap(([key, document]) => {
    if (!key.startsWith('wallet:')) return [];
    const { outbox, state } = document as Wallet;
    const alerts = outbox.flatMap(({ channels: ids, id }) =>
      ids.map((channelId) => ({ channelId, id })),
    );
    const { alertedPositions, announcedConsensus, unannounced } = state.knowledge;
    const followed = Object.entries(alertedPositions).map(([channelId, runs]) => ({
      channelId,
      runs,
    }));
    const unannouncedKeys = unannounced.flatMap(({ outcome, channels: ids }) =>
      ids.map((channelId) => ({ channelId, outcome })),
    );
    return [...alerts, ...followed, ...announcedConsensus, ...unannouncedKeys]
      .filter(({ channelId }) => channels.has(channelId))
      .map((piece) => `${key} ${JSON.stringify(piece)}`);
  });
  const others = [...documents].flatMap(([key, document]) => {
    if (isShared(key)) return [];
    const ofChannel = /^(?:queue|dead|notice|refused|posted):(\d+)/.exec(key)?.[1];
    return ofChannel !== undefined && !channels.has(ofChannel)
      ? []
      : [`${key} ${JSON.stringify(document)}`];
  });
  return [...ofWallets, ...others].toSorted();
}

/** The channels of which a document says whose they are. */
function ownedChannels(world: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const named = [...world.values()].filter((document) =>
    /"ownerId"|"personId"/.test(JSON.stringify(document)),
  );
  return new Set(named.flatMap((document) => (document as { channelId?: string }).channelId ?? []));
}

const divisions = fc.array(fc.nat({ max: 2 }), { minLength: COUNT, maxLength: COUNT });
const shardsOf = (division: readonly number[], target: number) =>
  ALL.filter((shard) => division[shard] === target);

describe('bots that start on copies of one store, with shards of their own', () => {
  it('keep together all of each server, and none keeps what is of another’s', async () => {
    await fc.assert(
      fc.asyncProperty(worldPlans, divisions, async (plan, division) => {
        const world = worldDocuments(plan);
        const channels = ownedChannels(world);
        const targets = [...new Set(division)];
        const parts = await Promise.all(
          targets.map((target) => left(world, shardsOf(division, target))),
        );
        expect(parts.flatMap((part) => pieces(part, channels)).toSorted()).toEqual(
          pieces(world, channels),
        );
      }),
      RUNS,
    );
  });

  it('know of every wallet what they knew', async () => {
    await fc.assert(
      fc.asyncProperty(worldPlans, divisions, async (plan, division) => {
        const world = worldDocuments(plan);
        const found = await left(world, shardsOf(division, 0));
        const shared = (documents: ReadonlyMap<string, unknown>) =>
          [...documents].flatMap(([key, document]) => {
            if (!key.startsWith('wallet:')) return isShared(key) ? [[key, document]] : [];
            const { state } = document as Wallet;
            const ofNobody = { alertedPositions: {}, announcedConsensus: [], unannounced: [] };
            return [[key, { ...state, knowledge: { ...state.knowledge, ...ofNobody } }]];
          });
        expect(shared(found)).toEqual(shared(world));
      }),
      RUNS,
    );
  });

  it('have dropped the same after starts that were killed', async () => {
    await fc.assert(
      fc.asyncProperty(
        worldPlans,
        divisions,
        fc.array(fc.nat({ max: 30 })),
        async (plan, division, kills) => {
          const world = worldDocuments(plan);
          const ids = shardsOf(division, 0);
          expect(await left(world, ids, kills)).toEqual(await left(world, ids));
        },
      ),
      RUNS,
    );
  });

  it('have people where shard 0 is', async () => {
    const world = worldDocuments({
      ...FULL_WORLD,
      guildDocuments: [{ guild: PERSON, kind: 'list' }],
    });
    const ofPerson = (documents: ReadonlyMap<string, unknown>) =>
      [...documents].filter(([key, document]) =>
        /"@\d+"|"personId"|2200000000000000007/.test(key + JSON.stringify(document)),
      );
    const kindsOf = (documents: ReadonlyMap<string, unknown>) =>
      new Set(ofPerson(documents).map(([key]) => key.replace(/:.*/, '')));
    expect(ofPerson(await left(world, [1, 2, 3, 4, 5]))).toEqual([]);
    expect(kindsOf(await left(world, [0]))).toEqual(kindsOf(world));
  });
});
