import { ApplicationCommandType, ContextMenuCommandBuilder, type Message } from 'discord.js';
import { explainToPerson } from '../src/discord/explain.ts';
import { addressesIn, findAddress, type WalletAddress } from '../src/domain/address.ts';
import type { ActivityItem } from '../src/domain/records.ts';
import { walletName } from '../src/embeds/embed-parts.ts';
import { EMBED_LIMITS } from '../src/embeds/text/limits.ts';
import { byLocale, ENGLISH } from '../src/language/language.ts';
import { UserError } from '../src/language/user-error.ts';
import { NO_FILTERS } from '../src/lookups/filters.ts';
import { beginScan, scanTo } from '../src/lookups/page-scan.ts';
import { ANYWHERE, INSTALLED } from '../src/slash-commands/options.ts';
import type { MessageCommand } from '../src/slash-commands/slash-command.ts';
import { addressTrouble } from '../src/watches/transfer/fields.ts';
import { LABEL_LIMIT } from '../src/watches/watch.ts';
import { activityOf } from './activity.ts';
import { readCard } from './lists/card.ts';
import type { CommandContext } from './shared/context.ts';
import { buttonsOfWallet } from './shared/follow-button.ts';

const CARDS_MOST = 5;

/**
 * Apps, Look up wallets on a message: the cards of the wallets in it, shown only to the person who
 * asks.
 */
export const lookUpWallets: MessageCommand<CommandContext> = {
  definition: new ContextMenuCommandBuilder()
    .setType(ApplicationCommandType.Message)
    .setName(ENGLISH.texts.commands.lookUpWallets)
    .setNameLocalizations(byLocale(({ texts }) => texts.commands.lookUpWallets))
    .setContexts(...ANYWHERE)
    .setIntegrationTypes(...INSTALLED),

  async answer(interaction, context) {
    const { texts, format } = context.language;
    const text = textOf(interaction.targetMessage);
    const wallets = addressesIn(text);
    const [first, ...others] = wallets.slice(0, CARDS_MOST);
    if (first === undefined) {
      const found = findAddress(text);
      if (!found.ok && found.fault === 'checksum') throw new UserError(addressTrouble(found));
      throw new UserError((language) => language.texts.answers.wallet.noneInMessage);
    }
    const space = Math.floor(EMBED_LIMITS.totalPerMessage / (others.length + 1));
    const embeds = [];
    // One after another, because each counts towards the same limit.
    for (const wallet of [first, ...others]) embeds.push(await cardOf(wallet, space, context));
    let content = '';
    if (wallets.length > CARDS_MOST) {
      const all = format.quantity(wallets.length);
      content = texts.answers.wallet.firstOf(String(CARDS_MOST), all);
    }
    await interaction.editReply({
      content,
      embeds,
      components: others.length === 0 ? [buttonsOfWallet(first, context)] : [],
    });
  },
};

/**
 * Returns everything shown by a message and the messages it forwards, and its buttons' ids, which
 * under alerts contain the wallet's full address.
 */
function textOf(message: Message): string {
  const texts: string[] = [];
  for (const { content, embeds, components } of [message, ...message.messageSnapshots.values()]) {
    texts.push(content ?? '');
    for (const part of [...(embeds ?? []), ...(components ?? [])]) {
      // An address may be at the start of a line, after what JSON writes as `\n`.
      texts.push(JSON.stringify(part.toJSON()).replace(/\\[a-z]/g, ' '));
    }
  }
  return texts.join('\n');
}

/**
 * Returns the card as `/activity` shows it. If there is none, returns the error instead, or a
 * statement that nothing was found.
 */
async function cardOf(wallet: WalletAddress, space: number, context: CommandContext) {
  const { place, venueNowSeconds, language, labelOf } = context;
  const scan = beginScan<ActivityItem>({ ownerId: place.ownerId, wallet, anchorSeconds: null });
  const title = walletName(wallet, labelOf(wallet, ''), LABEL_LIMIT);
  try {
    const trouble = await scanTo(scan, () => true, activityOf(context, wallet, NO_FILTERS));
    if (trouble !== null && explainToPerson(trouble, language) === null) throw trouble;
  } catch (error) {
    // Cards of other wallets are still shown. A bug in the bot is not hidden behind them.
    const reason = explainToPerson(error, language);
    if (reason === null) throw error;
    return { title, description: reason };
  }
  const card = await readCard(
    context,
    { wallet, typed: '', asOfSeconds: Math.floor(venueNowSeconds()) },
    scan,
  );
  if (card === null) return { title, description: language.texts.lists.activity.nothing };
  return card(space);
}
