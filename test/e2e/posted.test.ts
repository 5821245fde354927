import { expect, it } from 'vitest';
import { initialDetectionState } from '../../src/alerts/detect.ts';
import { openStore } from '../../src/store/store.ts';
import { contents, runStore, storeKinds, writeStore } from '../cli/store/stores.ts';
import { transfer } from '../support/records.ts';
import { walletOf } from '../support/wallets.ts';
import { watchOf } from '../support/watch.ts';
import { openFixture } from './fixture.ts';

const kinds = storeKinds();
const [A, B, C] = [0, 1, 2].map(walletOf) as unknown as [string, string, string];
const [ONE, TWO, THREE, GONE] = ['1', '2', '3', '9'].map((end) => `20000000000000000${end}`) as [
  string,
  string,
  string,
  string,
];

const endpoint = { detectionState: initialDetectionState(1_700_000_000), pollId: 7 };
const alert = (id: string, channels: readonly string[]) => ({
  ...{ id, event: { kind: 'transfer', item: transfer() }, seenAtMs: 1, channels },
});
const posted = (channelId: string, wallet: string, changes: object = {}) =>
  [
    `posted:${channelId}:${wallet}`,
    {
      ...{ channelId, wallet, revision: 3, positions: [], done: [], reached: [], added: [] },
      ...changes,
    },
  ] as const;

/** A store with documents of channels as they should not be, and two as they should. */
const DOCUMENTS: readonly (readonly [string, unknown])[] = [
  ...[ONE, TWO, THREE].map((channelId) => {
    const watch = watchOf({ wallet: A as never, channelId });
    return [`watch:${channelId}:${A}`, watch] as const;
  }),
  [`watch:${ONE}:${C}`, watchOf({ wallet: C as never, channelId: ONE })],
  [
    `wallet:${A}`,
    {
      state: { activity: endpoint, 'deposits-withdrawals': endpoint },
      outbox: [alert('first', [ONE, TWO, THREE]), alert('second', [ONE, TWO, THREE])],
      revision: 3,
    },
  ],
  posted(ONE, A, { done: ['first'], added: [alert('third', [ONE])] }),
  posted(TWO, A, { revision: 4 }),
  [`posted:${THREE}:${A}`, { half: true }],
  posted(GONE, A, { done: ['first'] }),
  posted(ONE, B),
  posted(ONE, C),
  ['posted:nothing', {}],
];

it('what a channel got is counted as got, and what cannot be so is put aside or deleted at the start', async () => {
  const url = await kinds.newStore();
  await writeStore(url, DOCUMENTS);
  // The server that the channels are in is not there: nothing is posted, all of it is kept.
  const servers = await runStore(['servers'], { STORE_URL: url });
  expect(servers.output).toContain(' 6 ');
  const fixture = await openFixture({ environment: { STORE_URL: url } });
  await fixture.logged('store.loaded');
  await fixture.bot.stop();
  const left = await contents(url);
  const keys = [...left.keys()].filter((key) => key.includes('posted:')).toSorted();
  expect(keys).toEqual([
    `posted:${ONE}:${A}`,
    `quarantine:posted:${TWO}:${A}`,
    `quarantine:posted:${THREE}:${A}`,
    'quarantine:posted:nothing',
  ]);
  // Of the others nobody knows what they got: they read that something may be missing.
  const { outbox } = left.get(`wallet:${A}`) as {
    readonly outbox: readonly {
      readonly channels: readonly string[];
      readonly event: { readonly kind: string };
    }[];
  };
  const kindsFor = (channelId: string) =>
    outbox.filter(({ channels }) => channels.includes(channelId)).map(({ event }) => event.kind);
  expect(kindsFor(ONE)).toEqual(['transfer', 'transfer']);
  for (const channelId of [TWO, THREE]) expect(kindsFor(channelId)).toEqual(['gap', 'gap']);
});

it('a copy without what cannot be read of a channel tells the channel, and posts nothing again', async () => {
  const [from, to] = await kinds.pair([
    [`watch:${ONE}:${A}`, watchOf({ wallet: A as never, channelId: ONE })],
    [
      `wallet:${A}`,
      {
        state: { activity: endpoint, 'deposits-withdrawals': endpoint },
        outbox: [alert('first', [ONE])],
        revision: 3,
      },
    ],
    [`posted:${ONE}:${A}`, { half: true }],
  ]);
  const { output } = await runStore(['copy', from, to, '--skip-damaged']);
  expect(output).toMatch(/^Left in \S+: 1 that cannot be read/m);
  const fixture = await openFixture({ environment: { STORE_URL: to } });
  await fixture.logged('store.loaded');
  await fixture.bot.stop();
  expect((await contents(to)).get(`wallet:${A}`)).toMatchObject({
    outbox: [{ event: { kind: 'gap' } }, { event: { kind: 'gap' } }],
  });
});

it('a store that refuses to put back what was posted says why', async () => {
  const url = await kinds.newStore();
  const [key, document] = posted(ONE, A);
  await writeStore(url, [[`quarantine:${key}`, document]]);
  const { exitCode, errors } = await runStore(['quarantine', 'restore', key], { STORE_URL: url });
  expect(exitCode).not.toBe(0);
  expect(errors).toContain('cannot be put back');
  const store = await openStore(url, { shards: null });
  expect(await store.get(key)).toBeUndefined();
  await store.close();
});
