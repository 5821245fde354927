import { ComponentType, MessageFlags } from 'discord.js';
import type { Alert, AlertGroup } from '../../../src/alerts/alert.ts';
import type { RecordEvent } from '../../../src/alerts/decisions.ts';
import { EMBED_COLOURS } from '../../../src/embeds/embed-parts.ts';
import type { Language } from '../../../src/language/language.ts';
import { buttonRow, type ComponentRow } from '../../../src/messages/buttons.ts';
import { renderMessage } from '../../../src/messages/message.ts';
import type { ButtonUse } from '../../../src/slash-commands/slash-command.ts';
import type { Watch } from '../../../src/watches/watch.ts';
import type { CommandContext } from '../../shared/context.ts';
import { readNewest } from '../shared/newest.ts';
import { relative, writingTrouble } from '../shared/words.ts';
import { verdictText } from '../why.ts';

/** Price in cents, shares and USDC of an invented record. */
const MADE_UP = { price: 63.5, quantity: 1_000, usdc: 635 };

/**
 * Shows the person the wallet's newest record as the alert that the channel would get about it,
 * which filters would reject it, and problems that prevent alerts in the channel. The message is
 * visible only to the person, and nothing is stored.
 */
export async function showExample(
  interaction: ButtonUse,
  watch: Watch,
  context: CommandContext,
): Promise<null> {
  const { wallet, channelId } = watch;
  const { channelSettings, languageOf, links, language } = context;
  const { newest, errors } = await readNewest(wallet, context);
  if (newest === null && errors.length > 0) throw errors[0];
  const ofChannel = languageOf(channelId);
  const event = newest ?? madeUp(watch, context.venueNowSeconds(), ofChannel);
  const timeMs = event.item.time * 1000;
  const alert: Alert = { id: '', wallet, channelId, event, seenAtMs: timeMs };
  const group: AlertGroup = { kind: 'alert', alerts: [alert] };
  const { body } = renderMessage([group], {
    links,
    language: ofChannel,
    sentAtMs: timeMs,
    labelOf: () => watch.label ?? undefined,
    isCompact: channelSettings.get(channelId)?.view === 'compact',
  });
  const { example } = language.texts.watch.panel;
  const notes: string[] = [];
  if (newest === null) notes.push(`ℹ️ ${example.madeUp}`);
  else notes.push(...filterNotes(watch, newest, context));
  const trouble = writingTrouble(channelId, context);
  if (trouble !== null) notes.push(`⚠️ ${trouble}`);
  const embeds = body.embeds.map(({ footer: _, ...embed }) => embed);
  if (notes.length > 0) {
    embeds.push({ description: notes.join('\n'), color: EMBED_COLOURS.answer });
  }
  await interaction.followUp({
    content: `**${example.heading(relative(event.item.time))}**\n${body.content}`,
    embeds,
    components: marketLinks(body.components),
    flags: MessageFlags.Ephemeral,
    allowedMentions: { parse: [] },
  });
  return null;
}

/** Returns a line that says what would currently reject the record; none if it would be posted. */
function filterNotes(watch: Watch, event: RecordEvent, context: CommandContext): string[] {
  const [verdict] = context.why.today(watch, [event]);
  if (verdict?.kind !== 'today' || verdict.reason === null) return [];
  return [verdictText(watch, verdict, context)];
}

/** Returns the alert's links. Its other buttons would refer to an alert that does not exist. */
function marketLinks(rows: readonly ComponentRow[]) {
  const shown = rows.flatMap(({ components }) =>
    components.flatMap((part) =>
      part.type === ComponentType.Button && 'url' in part ? [part] : [],
    ),
  );
  return shown.length === 0 ? [] : [buttonRow(...shown.slice(0, 1))];
}

function madeUp({ wallet }: Watch, nowSeconds: number, { texts }: Language): RecordEvent {
  const { price, quantity, usdc } = MADE_UP;
  return {
    kind: 'activity',
    item: {
      time: Math.floor(nowSeconds),
      action: 'Buy',
      recordType: '',
      actionType: 0,
      price,
      quantity,
      fee: 0,
      grossValue: usdc,
      transferNetAmount: usdc,
      txHash: '',
      tokenId: '',
      marketId: '',
      marketSlug: '',
      eventSlug: '',
      conditionId: '',
      marketTitle: texts.watch.panel.example.market,
      positionSide: 'Yes',
      outcomeIndex: 0,
      logo: '',
      trader: wallet,
      liquidityRole: 'TAKER',
    },
  };
}
