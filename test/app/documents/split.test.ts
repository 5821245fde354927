import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DOCUMENT_KINDS, describeDocument, kindOf } from '../../../src/app/documents/kinds.ts';
import { serversOf } from '../../../src/app/documents/moved.ts';
import { shareOf } from '../../../src/app/documents/split.ts';
import { findUnassigned, surveyStore, wantedDocuments } from '../../../src/app/documents/survey.ts';
import { UnreadableDocument } from '../../../src/store/document.ts';
import { isMark } from '../../../src/store/marks.ts';
import { firstColumn, page, section, sourceFiles } from '../../docs/pages.ts';
import { FULL_WORLD, PERSON, type WorldPlan, worldDocuments, worldPlans } from '../../support/stored-world.ts';
import { randomRuns } from '../../support/thorough.ts';

const COUNT = 6;
const RUNS = randomRuns(40);

function storeOf(documents: Iterable<readonly [string, unknown]>) {
  const kept = [...documents];
  return {
    async *entries() {
      yield* kept;
    },
  };
}

/** What the servers of some shards get of a store. */
async function part(documents: Iterable<readonly [string, unknown]>, ids: readonly number[], keepsUnassigned = false) {
  const store = storeOf(documents);
  const survey = await surveyStore(store);
  const selection = serversOf({ ids, count: COUNT });
  const found = new Map<string, unknown>();
  for await (const [key, document] of wantedDocuments(store, {
    survey,
    selection,
    keepsUnassigned,
    nowMs: () => 1_800_000_000_000,
  })) {
    expect(found.has(key)).toBe(false);
    found.set(key, document);
  }
  return { found, unassigned: await findUnassigned(store, survey, selection) };
}

/** Everything that is of a channel or a server, each as a text of its own, as often as it is there. */
function pieces(documents: ReadonlyMap<string, unknown>): string[] {
  return [...documents]
    .flatMap(([key, document]) => {
      if (!key.startsWith('wallet:'))
        return /^(schedule:|settlements:|outage$)/.test(key) ? [] : [`${key} ${JSON.stringify(document)}`];
      const { outbox, poll } = document as Wallet;
      const { alertedPositions, announced } = poll.knowledge;
      return [
        ...outbox.flatMap(({ channels, ...alert }) => channels.map((id) => `${id} ${JSON.stringify(alert)}`)),
        ...[...alertedPositions, ...announced].map((piece) => JSON.stringify(piece)),
      ].map((piece) => `${key} ${piece}`);
    })
    .toSorted();
}

interface Wallet {
  readonly outbox: readonly { readonly id: string; readonly channels: readonly string[] }[];
  readonly poll: {
    readonly knowledge: {
      readonly alertedPositions: readonly unknown[];
      readonly announced: readonly unknown[];
    };
  };
}

/** What of a wallet is of no channel. */
function shared(document: unknown): unknown {
  const { outbox: _, poll } = document as Wallet;
  const { alertedPositions: _positions, announced: _announced, ...knowledge } = poll.knowledge;
  return { ...poll, knowledge };
}

/** Which of three stores each shard goes to. */
const divisions = fc.array(fc.nat({ max: 2 }), { minLength: COUNT, maxLength: COUNT });
const shardsOf = (division: readonly number[], target: number) =>
  division.flatMap((other, shard) => (other === target ? [shard] : []));
const targetsOf = (division: readonly number[]) => [...new Set(division)];

describe('the documents of the servers of some shards', () => {
  it('are together everything, and no server’s document or alert is in two', async () => {
    await fc.assert(
      fc.asyncProperty(worldPlans, divisions, async (plan, division) => {
        const documents = worldDocuments(plan);
        const parts = await Promise.all(
          targetsOf(division).map((target) => part(documents, shardsOf(division, target))),
        );
        const nameless = new Set(parts.flatMap(({ unassigned }) => unassigned));
        const whole = new Map([...documents].filter(([key]) => !nameless.has(key)));
        const counted = parts.flatMap((each) => pieces(each.found)).toSorted();
        expect(new Set(counted).size).toBe(counted.length);
        // What is of channels that nobody knows is missing in every part, and each part says so.
        const [expected, found] = [pieces(whole), new Set(counted)];
        const missing = expected.filter((piece) => !found.has(piece));
        const isAnnounced = (piece: string) =>
          [...nameless].some((text) => text.startsWith(`${piece.split(' ')[0]} (channels: `));
        expect(missing.filter((piece) => !isAnnounced(piece))).toEqual([]);
        expect(counted.filter((piece) => !expected.includes(piece))).toEqual([]);
      }),
      RUNS,
    );
  });

  it('hold what is learned of each wallet that is watched there, as it was', async () => {
    await fc.assert(
      fc.asyncProperty(worldPlans, divisions, async (plan, division) => {
        const documents = worldDocuments(plan);
        for (const target of targetsOf(division)) {
          const { found } = await part(documents, shardsOf(division, target));
          const wallets = new Set([...found.keys()].flatMap((key) => /^watch:\d+:(.*)$/.exec(key)?.[1] ?? []));
          for (const wallet of wallets) {
            expect(shared(found.get(`wallet:${wallet}`))).toEqual(shared(documents.get(`wallet:${wallet}`)));
            expect(found.get(`schedule:${wallet}`)).toEqual(documents.get(`schedule:${wallet}`));
          }
          expect(found.get('schedule:shared')).toEqual(documents.get('schedule:shared'));
        }
      }),
      RUNS,
    );
  });

  it('are the same in whatever order the store gives its documents, and leave these as they are', async () => {
    await fc.assert(
      fc.asyncProperty(worldPlans, divisions, fc.infiniteStream(fc.nat()), async (plan, division, ranks) => {
        const documents = worldDocuments(plan);
        const before = JSON.stringify([...documents]);
        const shuffled = [...documents]
          .map((entry) => ({ entry, rank: ranks.next().value ?? 0 }))
          .toSorted((a, b) => a.rank - b.rank)
          .map(({ entry }) => entry);
        const ids = shardsOf(division, 0);
        const [one, other] = [await part(documents, ids, true), await part(shuffled, ids, true)];
        expect(other.found).toEqual(one.found);
        expect(other.unassigned.toSorted()).toEqual(one.unassigned.toSorted());
        expect(JSON.stringify([...documents])).toBe(before);
      }),
      RUNS,
    );
  });

  it('are all the documents if they are of all shards, and what names no server is kept', async () => {
    await fc.assert(
      fc.asyncProperty(worldPlans, async (plan) => {
        const documents = worldDocuments(plan);
        const { found } = await part(documents, [0, 1, 2, 3, 4, 5], true);
        expect(found).toEqual(documents);
      }),
      RUNS,
    );
  });

  it('leave out what names no server, and say which', async () => {
    const plan: WorldPlan = {
      ...FULL_WORLD,
      channels: FULL_WORLD.channels.map((channel, index) =>
        index === 9 ? { ...channel, isSet: false, hasDigest: false } : channel,
      ),
      watches: FULL_WORLD.watches.filter(({ channel, wallet }) => channel !== 9 && wallet !== 3),
      alerts: [...FULL_WORLD.alerts, { wallet: 3, channels: [9] }],
      followed: FULL_WORLD.followed.filter(({ wallet }) => wallet !== 3),
      isOld: true,
    };
    const all = [0, 1, 2, 3, 4, 5];
    const documents = worldDocuments(plan);
    const { found, unassigned } = await part(documents, all);
    const [channel, wallet] = ['2200000000000000009', '0x0000000000000000000000000000000000000003'];
    expect(unassigned.toSorted()).toEqual(
      [
        `dead:${channel}:0x0000000000000000000000000000000000000000:x`,
        `notice:${channel}`,
        `quarantine:watch:2200000000000000000:0x0000000000000000000000000000000000000000`,
        `queue:${channel}`,
        `schedule:${wallet}`,
        `wallet:${wallet}`,
        'wallet:0x0000000000000000000000000000000000000004 (channels: 1)',
      ].toSorted(),
    );
    expect([...documents.keys()].filter((key) => !found.has(key)).toSorted()).toEqual(
      unassigned.filter((key) => !key.includes('(')).toSorted(),
    );
    expect(JSON.stringify(found.get('wallet:0x0000000000000000000000000000000000000004'))).not.toContain(channel);
  });

  it('are of persons where shard 0 is', async () => {
    const directory = { ownerOf: () => undefined, ownersOf: () => new Set<string>() };
    const share = (ids: number[]) =>
      shareOf({ owner: { of: 'person' } }, directory, serversOf({ ids, count: COUNT }), false).kind;
    expect([share([0, 5]), share([1, 2, 3, 4, 5])]).toEqual(['whole', 'none']);

    const plan = { ...FULL_WORLD, guildDocuments: [{ guild: PERSON, kind: 'list' as const }] };
    const ofPerson = async (ids: number[]) =>
      [...(await part(worldDocuments(plan), ids)).found].flatMap(([key, document]) => {
        const isPersons = /"@\d+"|"personId"/.test(JSON.stringify(document)) || key.includes(':2200000000000000007');
        return isPersons ? [key.replace(/:.*/, '')] : [];
      });
    expect(await ofPerson([1, 2, 3, 4, 5])).toEqual([]);
    const kinds = ['watch', 'channel', 'queue', 'person', 'list'];
    expect(new Set(await ofPerson([0]))).toEqual(new Set(kinds));
  });
});

describe('the table of kinds', () => {
  const prefixes = DOCUMENT_KINDS.map(({ prefix }) => prefix);
  const constants = new Map(
    sourceFiles('src').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\b([A-Z_]+_PREFIX) = '([a-z]+:)'/g)].map(
        ([, name = '', prefix = '']): [string, string] => [name, prefix],
      ),
    ),
  );

  it('has every prefix that is read at the start', () => {
    const names = [...new Set(readFileSync('src/app/load.ts', 'utf8').match(/\b[A-Z_]+_PREFIX\b/g))];
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !prefixes.includes(constants.get(name) ?? name))).toEqual([]);
  });

  it('has every prefix under which anything is stored', () => {
    expect([...constants.values()].filter((prefix) => !prefixes.includes(prefix))).toEqual([]);
  });

  it('has every kind that is documented, beside what a store says of itself', () => {
    const keys = firstColumn(section(page('docs/architecture.md'), '## Stored documents')).filter((code) =>
      /^[a-z]+(:[A-Z]+)*$/.test(code),
    );
    expect(
      keys.filter((key) => !isMark(key) && kindOf(key.replace(/:.*/, ':x')) === undefined && kindOf(key) === undefined),
    ).toEqual([]);
  });

  it('reads every kind, and knows what cannot be read', () => {
    const documents = worldDocuments({ ...FULL_WORLD, isOld: true });
    const kinds = new Set([...documents.keys()].map((key) => kindOf(key)?.prefix));
    expect(prefixes.filter((prefix) => !kinds.has(prefix))).toEqual(['poll-list:', 'probe']);
    for (const [key, document] of documents) {
      expect(describeDocument(key, document), key).toBeTypeOf('object');
      expect(describeDocument(key, new UnreadableDocument('{', 'no JSON'))).toBe('damaged');
      if (!key.startsWith('quarantine:')) expect(describeDocument(key, { version: 99 }), key).toBe('damaged');
    }
    expect(describeDocument('wallet:0x1', documents.get(`wallet:0x${'0'.repeat(40)}`))).toBe('damaged');
    expect(describeDocument('other', {})).toBe('foreign');
  });
});
