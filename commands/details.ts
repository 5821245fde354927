import { setImmediate as nextTurn } from 'node:timers/promises';
import { type APIEmbed, type AttachmentPayload, SnowflakeUtil } from 'discord.js';
import type { AlertFills } from '../src/details/alert-fills.ts';
import { type DetailsView, detailsEmbeds, knownEmbed } from '../src/details/embed.ts';
import { type Knowledge, positionNow } from '../src/details/knowledge-lines.ts';
import { DETAILS, parseDetailsId } from '../src/details/target.ts';
import { sendWithFiles } from '../src/discord/attachments.ts';
import { explainToPerson } from '../src/discord/explain.ts';
import type { WalletAddress } from '../src/domain/address.ts';
import type { ActivityItem } from '../src/domain/records.ts';
import { UserError } from '../src/language/user-error.ts';
import { activityCsv } from '../src/lookups/csv.ts';
import type { PrivateComponent } from '../src/slash-commands/slash-command.ts';
import type { CommandContext } from './shared/context.ts';
import { buttonsOfWallet } from './shared/follow-button.ts';

/**
 * Details of an alert, shown only to the person who presses the button. The venue's records are
 * looked up again, so this works after a restart and for old alerts. What was known at the time of
 * the alert comes from its stored record, if there is one; otherwise the current state is shown.
 * From servers' data, the answer contains only what the interaction's server may see.
 */
export const details: PrivateComponent<CommandContext> = {
  name: DETAILS,
  async answer(interaction, text, context) {
    const { place, links, language, alertFills, detailsRecords } = context;
    const { channelId } = interaction;
    const id = parseDetailsId(text);
    if (id === null) throw new UserError(({ texts }) => texts.details.errors.damaged);
    const { wallet, reference } = id;
    const record = await detailsRecords.get({
      ownerId: place.ownerId,
      channelId,
      wallet,
      reference,
    });
    const target = record?.target ?? id.target;
    if (target === null) throw new UserError(({ texts }) => texts.details.errors.tooOld);
    const known = record && ({ ...record, when: 'atAlert' } as const);
    const stored = await context.inTurn(() => readStored(wallet, channelId, context));
    const alert = {
      wallet,
      reference,
      label: context.labelOf(wallet, ''),
      language,
    };
    const answer = (embeds: readonly APIEmbed[], files: readonly AttachmentPayload[] = []) => {
      const components = [buttonsOfWallet(wallet, context)];
      return interaction.editReply({ embeds, components, files });
    };
    let found: AlertFills;
    try {
      found = await alertFills.of(place.ownerId, wallet, target, record ?? null);
    } catch (error) {
      const why = explainToPerson(error, language);
      if (known === undefined || why === null) throw error;
      await answer([knownEmbed({ ...alert, knowledge: known }, why)]);
      return;
    }
    const [first, ...others] = found.items;
    if (first === undefined) throw new UserError(({ texts }) => texts.details.errors.nothing);
    const view: DetailsView = {
      ...found,
      ...alert,
      items: [first, ...others],
      postedAtMs: SnowflakeUtil.timestampFrom(interaction.message.id),
      changedAtMs: interaction.message.editedTimestamp,
      knowledge: known ?? knowledgeNow(stored, first, context),
      links,
    };
    // A thousand records have just been compared, so other work gets a turn.
    await nextTurn();
    const { left, withFile } = detailsEmbeds(view);
    if (left === 0) return void (await answer(withFile(false)));
    // The file contains all records, because the embeds have no space for them.
    const { data } = await activityCsv(view.items);
    const name = `${DETAILS}-${wallet.slice(2, 10)}-${reference}.csv`;
    const file = { attachment: data, name };
    await sendWithFiles(context, 'file', [file], (files) =>
      answer(withFile(files.length > 0), files),
    );
  },
};

/**
 * Reads what the interaction's server may currently know about the wallet, for the interaction's
 * channel.
 */
async function readStored(wallet: WalletAddress, channelId: string, context: CommandContext) {
  const watches = context.watchesForAll(wallet);
  const kept = watches.length === 0 ? undefined : await context.knowledge(wallet);
  const own = watches.find((watch) => watch.channelId === channelId);
  if (kept === undefined || own === undefined) return { kept, record: null };
  return { kept, record: context.recordFor(kept, own) };
}

/** @param item one of the alert's records */
function knowledgeNow(
  { kept, record }: Awaited<ReturnType<typeof readStored>>,
  item: ActivityItem,
  { isLaterHere }: CommandContext,
): Knowledge {
  if (isLaterHere) return { when: 'asOfNow', position: 'later', record };
  const position = kept === undefined ? null : positionNow(kept.portfolio, item);
  return { when: 'asOfNow', position, record };
}
