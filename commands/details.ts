import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AttachmentPayload, DiscordAPIError, SnowflakeUtil } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { AlertFillsLookup } from '../src/details/alert-fills.ts';
import { type DetailsView, detailsEmbeds } from '../src/details/embed.ts';
import { positionNow } from '../src/details/knowledge-lines.ts';
import type { DetailsRecords } from '../src/details/records.ts';
import { DETAILS, type DetailsId, parseDetailsId } from '../src/details/target.ts';
import type { ActivityItem } from '../src/domain/records.ts';
import { UserError } from '../src/language/user-error.ts';
import type { Machine } from '../src/lib/machine.ts';
import { activityCsv } from '../src/lookups/csv.ts';
import { listButtons } from '../src/messages/buttons.ts';
import { roomRecordOf } from '../src/portfolio/record/room-record.ts';
import type { ButtonUse, MenuUse, PrivateComponent } from '../src/slash-commands/slash-command.ts';
import type { CommandContext } from './shared/context.ts';

/** People press within seconds of an alert: an answer is rendered once for all who read it in one language. */
const ANSWER_LIFE_MS = 10_000;
const ANSWERS_LIMIT = 50;

/** What everybody is answered who presses under one message in one language. */
type Answer = Awaited<ReturnType<typeof answerTo>>;
type Parts = { readonly fills: AlertFillsLookup; readonly records: DetailsRecords };
interface Question {
  readonly id: DetailsId;
  readonly ownerId: string;
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
  const answers = new LRUCache<string, Answer, Question>({
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
      const { ownerId } = context.place;
      const messageId = interaction.message.id;
      const key = JSON.stringify([ownerId, channelId, messageId, text, context.language.tag]);
      const question = { id, ownerId, channelId, messageId, context };
      await send(interaction, await answers.forceFetch(key, { context: question }), id, context);
    },
  };
}

async function answerTo(question: Question, { fills, records }: Parts) {
  const { id, ownerId, channelId, messageId, context } = question;
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

/** Sends with the file, or without it where Discord does not take it. */
async function send(
  interaction: ButtonUse | MenuUse,
  { embeds, file }: Answer,
  { wallet }: DetailsId,
  { language, log }: CommandContext,
): Promise<void> {
  const message = (files: readonly AttachmentPayload[]) => ({
    embeds: embeds(files.length > 0),
    components: [listButtons(wallet, language)],
    files,
    allowedMentions: { parse: [] },
  });
  try {
    await interaction.editReply(message(file === null ? [] : [file]));
  } catch (error) {
    const isRefusal = error instanceof DiscordAPIError && [400, 403, 413].includes(error.status);
    if (file === null || !isRefusal) throw error;
    log.warn({ event: 'details.file_refused', channel: interaction.channelId, err: error });
    await interaction.editReply(message([]));
  }
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
