import { setImmediate as turn } from 'node:timers/promises';
import type { FakeDiscord } from '@walletbell/local-discord/discord/fake-discord';
import { onTestFinished } from 'vitest';
import { TOKEN } from '../../packages/local-discord/test/fixture.ts';
import { createDecisions } from '../../src/alerts/decisions.ts';
import { createAlertMessages } from '../../src/delivery/alert-messages.ts';
import { createPost } from '../../src/delivery/post.ts';
import type { Reach } from '../../src/delivery/reach.ts';
import { createSender } from '../../src/delivery/sender.ts';
import { digestKind } from '../../src/digests/documents.ts';
import { createDigestRunner } from '../../src/digests/runner.ts';
import { withNote } from '../../src/discord/attachments.ts';
import { createRest } from '../../src/discord/client.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { alertReference } from '../../src/embeds/embed-parts.ts';
import type { Watch } from '../../src/watches/watch.ts';
import { put } from '../embeds/put.ts';
import { channelQueuesIn } from './channel-queues.ts';
import { deliveryWorkerOf } from './delivery-worker.ts';
import { documentStore } from './documents.ts';
import { collectingLog } from './log.ts';
import { testMachine } from './machine.ts';
import { testOutbox } from './outbox.ts';
import { sampleTransfer } from './records.ts';
import { undelayed } from './undelayed.ts';
import type { createVirtualTime } from './virtual-time.ts';

const WALLET = `0x${'a'.repeat(40)}` as WalletAddress;

/**
 * Creates everything that the bot sends by itself, with its real connection to a local Discord, on
 * a clock that the test advances.
 */
export function createSendingBot(
  discord: FakeDiscord,
  { now: nowMs, sleep, pass }: ReturnType<typeof createVirtualTime>,
  store: Pick<ReturnType<typeof documentStore>, 'get' | 'set' | 'delete'> = documentStore(),
  reachOf: (channelId: string) => Reach = () => ({ kind: 'unknown', lacks: null }),
) {
  const { log, lines } = collectingLog();
  const rest = createRest({ apiUrl: discord.apiUrl, token: TOKEN, reachOf });
  let underWay = 0;
  const counted =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      underWay += 1;
      try {
        return await work(...args);
      } finally {
        underWay -= 1;
      }
    };
  const sender = createSender({ rest, selfId: () => discord.bot.id, canReadHistory: () => true });
  const findReferences = counted(sender.findReferences);
  const refusals: string[] = [];
  let draws = 0;
  const random = () => {
    draws += 1;
    return (draws * 0.618) % 1;
  };
  const machine = testMachine({ nowMs, monotonicMs: nowMs, sleep, random, log });
  const post = createPost(machine, { findReferences });
  const outbox = testOutbox(store);
  const channelQueues = channelQueuesIn(store, nowMs);
  const alertMessages = createAlertMessages(machine, {
    post,
    send: counted(sender.send),
    edit: sender.edit,
    editedAtMs: sender.editedAtMs,
    ...undelayed(outbox, nowMs),
    decisions: createDecisions(() => ''),
    channelQueues,
    awaitingAnswerMs: () => 0,
    onArrived() {},
    keepDetails: () => async () => {},
    shownIn: async (_channelId, _wallet, records) => records.map(() => false),
    takesEdits: () => true,
    isWanted: () => true,
    isQuiet: () => false,
    plan: (_channelId, waiting) => ({
      groups: waiting.map((alert) => ({ kind: 'alert', alerts: [alert] })),
      joining: [],
      drop: [],
      waits: [],
      nextDueMs: Number.POSITIVE_INFINITY,
    }),
    decideMentions: () => ({
      noise: { roleIds: [], isSilent: false },
      cooldownUpdate: { markets: {}, mentions: [] },
    }),
    render(_channelId, groups) {
      const embeds = groups.flatMap(({ alerts }) =>
        alerts.map(({ id }) => ({ description: id, footer: { text: alertReference(id) } })),
      );
      return {
        body: { content: '', embeds, components: [], replyTo: null },
        included: groups.length,
      };
    },
  });
  const documents = digestKind.open(testMachine(), store);
  const digestRunner = createDigestRunner(machine, {
    post,
    clock: { lagMs: () => 0 },
    documents,
    sender: { send: counted(sender.send) },
    canAttach: () => true,
    isQuietAt: () => false,
    registry: { ofChannel: () => [{} as Watch] },
    async compose(_digest, _underWay, reference) {
      const plain = { description: 'digest', footer: { text: alertReference(reference) } };
      const embed = { ...plain, image: { url: 'attachment://digest.png' } };
      return {
        body: {
          embeds: [embed],
          picture: { name: 'digest.png', description: 'bars', attachment: Buffer.from('PNG') },
        },
        withoutPicture: () => ({ embeds: [withNote(plain, 'no chart')] }),
      };
    },
    isRead: () => true,
  });
  const deliveryWorker = deliveryWorkerOf(machine, {
    sources: [alertMessages, digestRunner],
    channelQueues,
    reachOf,
    onRefused: (reason) => void refusals.push(reason),
  });
  outbox.listen((channelIds) => channelIds.forEach(deliveryWorker.reconsider));
  onTestFinished(deliveryWorker.stop);

  /** Resolves when no request is in progress and nothing is left to do at this moment. */
  const idle = async () => {
    for (let quiet = 0; quiet < 10; quiet = underWay > 0 ? 0 : quiet + 1) await turn();
  };

  return {
    lines,
    sender,
    refusals,
    deliveryWorker,
    idle,
    pass: (ms: number) => pass(ms, idle),
    alert: (id: string, channelIds: readonly string[]) =>
      put(outbox, WALLET, {}, [
        {
          id,
          event: { kind: 'transfer', item: sampleTransfer() },
          seenAtMs: nowMs(),
          channels: [...channelIds],
        },
      ]),
    /** Schedules a digest for the channel, every day at 18:00. */
    wantDigest: (ownerId: string, channelId: string) =>
      documents.change(channelId, () => ({
        ownerId,
        channelId,
        schedule: { every: 'day', atMinutes: 18 * 60, weekday: 'Monday', timeZone: 'UTC' },
        doneUntilMs: nowMs(),
        offSinceMs: null,
        coveredMs: null,
        underWay: null,
      })),
    start: () => deliveryWorker.start(),
  };
}
