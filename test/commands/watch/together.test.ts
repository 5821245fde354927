import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../../commands/shared/context.ts';
import { readChannelOptions, watchChannel } from '../../../commands/watch/channel.ts';
import { watchDigest } from '../../../commands/watch/digest.ts';
import { watchPause } from '../../../commands/watch/pause.ts';
import { watchResume } from '../../../commands/watch/resume.ts';
import { changeWatch, watchesIn } from '../../../commands/watch/shared/command.ts';
import { openCollections } from '../../../src/app/documents/kinds.ts';
import { ENGLISH } from '../../../src/language/language.ts';
import type { CommandUse } from '../../../src/slash-commands/slash-command.ts';
import { createRegistry } from '../../../src/watches/registry.ts';
import { announcingFrom } from '../../../src/watches/watch.ts';
import { documentStore } from '../../support/documents.ts';
import { testMachine } from '../../support/machine.ts';
import { walletOfDigit } from '../../support/wallets.ts';
import { watchOf } from '../../support/watch.ts';

const NOW_SECONDS = 1_800_000_000;
const WATCH = watchOf({ pause: { untilSeconds: null } });
const { ownerId, channelId } = WATCH;

/** A server with a watch, and what its people type in a channel in which everybody may write. */
async function openChannel() {
  const store = documentStore();
  const registry = createRegistry(testMachine(), store);
  await registry.add(WATCH);
  const collections = openCollections(testMachine(), store);
  const context = {
    ...collections,
    registry,
    noteChanges: async () => {},
    clock: { isLater: () => false, nowMs: () => 0, at: (_id: string, atMs: number) => atMs },
    place: { kind: 'server', ownerId },
    language: ENGLISH,
    quotas: { requireChannel: () => {} },
    feed: {
      budget: {
        venueNowMs: () => NOW_SECONDS * 1_000,
        skewKnown: () => true,
        reportedNowMs: () => null,
      },
    },
    scans: { activity: new Map() },
    venueNowSeconds: () => NOW_SECONDS,
    nowMs: () => NOW_SECONDS * 1_000,
    deliveryWorker: {
      unblock: async () => {},
      reconsider: () => {},
      block: () => null,
      isBlocked: () => false,
    },
  } as unknown as CommandContext;
  const permissions = { has: () => true };
  const channel = {
    id: channelId,
    type: 0,
    isThread: () => false,
    permissionsFor: () => permissions,
  };
  const channels = { cache: new Map([[channelId, channel]]), fetch: async () => channel };
  const typed = (
    values: Readonly<Record<string, string | number>> = {},
    sentSeconds = NOW_SECONDS,
  ) => {
    const read = (name: string) => values[name] ?? null;
    const given = Object.entries(values).map(([name, value]) => ({ name, value }));
    const interaction = {
      options: { getString: read, getInteger: read, data: [{ options: given }] },
      createdTimestamp: sentSeconds * 1_000,
      client: { channels: { cache: new Map() } },
      guild: {
        channels,
        members: { fetchMe: async () => ({ communicationDisabledUntilTimestamp: null }) },
      },
      inCachedGuild: () => true,
    } as unknown as CommandUse;
    return [interaction, { ...context, interaction }] as const;
  };
  return { collections, registry, context, typed };
}

describe('two commands at the same moment', () => {
  it('both change a channel’s settings, and neither a count that goes on', async () => {
    const { collections, typed } = await openChannel();
    const { channelSettings } = collections;
    const change = ([interaction, context]: ReturnType<typeof typed>) =>
      watchChannel.execute(interaction, context, {
        channelId,
        change: readChannelOptions(interaction, null, () => 0),
      });
    await change(typed({ view: 'compact' }));
    await Promise.all([
      channelSettings.change(channelId, (before) => before && { ...before, rankedBefore: 1 }),
      change(typed({ consensus: 3 })),
      change(typed({ results: 'off' })),
    ]);
    expect(channelSettings.get(channelId)).toMatchObject({
      view: 'compact',
      consensus: { wallets: 3 },
      results: false,
      rankedBefore: 1,
    });
    // The last word counts, also where it is what held when it was typed.
    await Promise.all([change(typed({ results: 'on' })), change(typed({ results: 'off' }))]);
    expect(channelSettings.get(channelId)).toMatchObject({ view: 'compact', results: false });
  });

  it('both change a digest', async () => {
    const { collections, typed } = await openChannel();
    const change = (
      schedule:
        | { readonly atMinutes: number }
        | { readonly weekday: 'Friday'; readonly every: 'week' },
    ) => watchDigest.execute(...typed(), { typed: schedule, channelId });
    await change({ atMinutes: 60 });
    await Promise.all([change({ atMinutes: 540 }), change({ every: 'week', weekday: 'Friday' })]);
    expect(collections.digests.get(channelId)?.schedule).toEqual({
      every: 'week',
      atMinutes: 540,
      weekday: 'Friday',
      timeZone: 'UTC',
    });
  });

  it('resume a watch from the first on: what has happened since is announced', async () => {
    const { registry, typed } = await openChannel();
    const paused = [WATCH] as const;
    await watchResume.execute(...typed({}, NOW_SECONDS - 20), paused);
    const resumed = registry.get(channelId, WATCH.wallet);
    expect(resumed).toEqual({ ...announcingFrom(WATCH, NOW_SECONDS - 20), pause: null });
    // It was typed while the other one was being answered, and had read the watch.
    await watchResume.execute(...typed({}, NOW_SECONDS - 10), paused);
    expect(registry.get(channelId, WATCH.wallet)).toEqual(resumed);
  });

  it('both change a watch', async () => {
    const { registry, context, typed } = await openChannel();
    await Promise.all([
      watchResume.execute(...typed(), [WATCH]),
      changeWatch(context, WATCH, (present) => ({ ...present, label: 'Desk' })),
    ]);
    expect(registry.get(channelId, WATCH.wallet)).toMatchObject({
      pause: null,
      sinceSeconds: NOW_SECONDS,
      label: 'Desk',
    });
  });

  it('pause a whole channel but for what is removed meanwhile', async () => {
    const { registry, context, typed } = await openChannel();
    const others = ['2', '3'].map((digit) => watchOf({ wallet: walletOfDigit(digit) }));
    for (const other of others) await registry.add(other);
    const [, removed, last] = registry.ofChannel(channelId);
    const watches = watchesIn(channelId, context);
    const paused = watchPause.execute(...typed(), { seconds: null, watches });
    await registry.remove(channelId, removed?.wallet ?? WATCH.wallet);
    await paused;
    expect(registry.get(channelId, last?.wallet ?? WATCH.wallet)?.pause).toEqual({
      untilSeconds: null,
    });
  });
});
