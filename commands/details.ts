import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AttachmentPayload, SnowflakeUtil } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { AlertFillsLookup } from '../src/details/alert-fills.ts';
import { type DetailsView, detailsEmbeds } from '../src/details/embed.ts';
import { positionNow } from '../src/details/knowledge-lines.ts';
import type { DetailsRecords } from '../src/details/records.ts';
import { DETAILS, type DetailsId, parseDetailsId } from '../src/details/target.ts';
import { sendWithFiles } from '../src/discord/attachments.ts';
import type { ActivityItem } from '../src/domain/records.ts';
import { UserError } from '../src/language/user-error.ts';
import type { Machine } from '../src/lib/machine.ts';
import { activityCsv } from '../src/lookups/csv.ts';
import { listButtons } from '../src/messages/buttons.ts';
import { roomRecordOf } from '../src/portfolio/record/room-record.ts';
import type { PrivateComponent } from '../src/slash-commands/slash-command.ts';
import type { CommandContext } from './shared/context.ts';

/** People press within seconds of an alert: an answer is rendered once for all who read it in one language. */
const ANSWER_LIFE_MS = 10_000;
const ANSWERS_LIMIT = 50;

type Parts = { readonly fills: AlertFillsLookup; readonly records: DetailsRecords };
interface Question {
  readonly id: DetailsId;
  readonly channelId: string;
  readonly messageId: string;
  readonly context: CommandContext;
}

/**
 * Details of an alert, for whoever presses alone. The venue's records are looked up again, so that it works after a restart
 * and for old alerts; what was known at the alert comes from its stored record, or else as of now. Of servers, the answer
 * holds only what that of the interaction may see.
 */
export function createDetails({ monotonicMs }: Machine, parts: Parts): PrivateComponent<CommandContext> {
  const answers = new LRUCache<string, Awaited<ReturnType<typeof answerTo>>, Question>({
    max: ANSWERS_LIMIT,
    ttl: ANSWER_LIFE_MS,
    ttlResolution: 0,
    perf: { now: monotonicMs },
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: question }) => answerTo(question, parts),
  });

  return {
    name: DETAILS,
    async answer(interaction, text, context) {
      const id = parseDetailsId(text);
      if (id === null) throw new UserError(({ texts }) => texts.details.errors.damaged);
      const { channelId } = interaction;
      const messageId = interaction.message.id;
      const key = JSON.stringify([context.place.ownerId, channelId, messageId, text, context.language.tag]);
      const question = { id, channelId, messageId, context };
      const { embeds, file } = await answers.forceFetch(key, { context: question });
      const deliver = (files: readonly AttachmentPayload[]) =>
        interaction.editReply({
          embeds: embeds(files.length > 0),
          components: [listButtons(id.wallet, context.language)],
          files,
          allowedMentions: { parse: [] },
        });
      await sendWithFiles('file', file === null ? [] : [file], deliver, context.log);
    },
  };
}

/** What everybody is answered who presses under one message in one language. */
async function answerTo(question: Question, { fills, records }: Parts) {
  const { id, channelId, messageId, context } = question;
  const { ownerId } = context.place;
  const { wallet, reference } = id;
  const record = await records.get({ ownerId, channelId, wallet, reference });
  const target = record?.target ?? id.target;
  if (target === null) throw new UserError(({ texts }) => texts.details.errors.tooOld);
  const found = await fills.of(ownerId, wallet, target, record?.identities ?? null);
  const [first, ...others] = found.items;
  if (first === undefined) throw new UserError(({ texts }) => texts.details.errors.nothing);
  const view: DetailsView = {
    ...found,
    wallet,
    reference,
    label: context.labelOf(wallet, '') ?? undefined,
    items: [first, ...others],
    postedAtMs: SnowflakeUtil.timestampFrom(messageId),
    knowledge: record === undefined ? await knowledgeNow(question, first) : { ...record, when: 'atAlert' },
    links: context.links,
    language: context.language,
  };
  // A thousand records have just been compared: others get their turn.
  await nextTurn();
  const { left, withFile } = detailsEmbeds(view);
  if (left === 0) return { embeds: withFile, file: null };
  const { data } = await activityCsv(view.items);
  // All records: the embeds have no room for them.
  return { embeds: withFile, file: { attachment: data, name: `${DETAILS}-${wallet.slice(2, 10)}-${reference}.csv` } };
}

/** What the interaction's server may know of the wallet at this moment. @param item of the alert */
async function knowledgeNow(
  { id: { wallet }, channelId, context }: Question,
  item: ActivityItem,
): Promise<DetailsView['knowledge']> {
  const watches = context.watchesForAll(wallet);
  const kept = watches.length === 0 ? undefined : await context.knowledge(wallet);
  if (kept === undefined) return { when: 'asOfNow', position: null, record: null };
  const own = watches.find((watch) => watch.channelId === channelId);
  const nowSeconds = context.venueClock().nowMs / 1000;
  return {
    when: 'asOfNow',
    position: positionNow(kept.portfolio, item),
    record: own === undefined ? null : roomRecordOf(kept.record, own, nowSeconds, context.rankedIn(channelId)),
  };
}
