import { setImmediate as nextTurn } from 'node:timers/promises';
import { pictureOf } from '../../src/charts/render.ts';
import { sendFile, sendWithFiles, withNote } from '../../src/discord/attachments.ts';
import { isForAll, seesChannel } from '../../src/discord/permissions.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import { UserError } from '../../src/language/user-error.ts';
import { inTurns } from '../../src/lib/async/turns.ts';
import { button, buttonRow } from '../../src/messages/buttons.ts';
import { type CameBack, cameBackOf } from '../../src/portfolio/came-back.ts';
import { scoresPicture } from '../../src/scores/chart.ts';
import { scoresEmbed } from '../../src/scores/embed.ts';
import {
  type Ranking,
  rankWallets,
  scoresCsv,
  type WalletScore,
} from '../../src/scores/ranking.ts';
import type { Watch } from '../../src/watches/watch.ts';
import type { CommandContext } from '../shared/context.ts';
import {
  channelOption,
  namedChannel,
  type SomeWatches,
  type Subcommand,
  watchesIn,
} from './shared/command.ts';
import { channelName } from './shared/words.ts';

const PICTURE = 'scores.png';

/**
 * `/watch scores`: the results of each of a channel's wallets' alerts, best wallet first, visible
 * to everyone. The button `watch:scores:CHANNEL` gives the person who presses it all of them as a
 * file.
 */
export const watchScores: Subcommand<SomeWatches> = {
  name: 'scores',
  about: (texts) => texts.scores,
  options: [channelOption(({ channel }) => channel.channel)],
  isPrivate: false,

  /**
   * @throws {UserError} if the person, or a reader of the answer, may not see the channel, or it
   *   has no watch
   */
  check(interaction, context) {
    const channelId = namedChannel(interaction);
    const mention = `<#${channelId}>`;
    if (!seesChannel(interaction, channelId)) {
      throw new UserError(({ texts }) => texts.scores.hidden(mention));
    }
    if (!isForAll(interaction, channelId)) {
      throw new UserError(({ texts }) => texts.scores.elsewhere(mention));
    }
    return watchesIn(channelId, context);
  },

  async execute(interaction, context, watches) {
    const [{ channelId }] = watches;
    const { language, inTurn } = context;
    const ranking = await inTurn(() => readRanking(watches, context));
    const draw = () => scoresPicture(ranking, language);
    const picture = await inTurn(() => pictureOf(context, { channel: channelId }, draw));
    const hasScores = ranking.ranked.length + ranking.unranked.length > 0;
    const components = hasScores ? [buttonRow(button(`watch:scores:${channelId}`, 'CSV'))] : [];
    const pictures = picture === null ? [] : [{ ...picture, name: PICTURE }];
    const channel = channelName(channelId, context);
    await sendWithFiles(context, 'picture', pictures, (files, note) => {
      const shown = files.length === 0 ? null : PICTURE;
      const embed = scoresEmbed(channel, ranking, shown, language);
      return interaction.editReply({
        embeds: [withNote(embed, note)],
        components,
        files,
      });
    });
    return null;
  },

  /**
   * @throws {UserError} if the person cannot see the channel, or nothing is watched there any more
   */
  async press(interaction, [channelId = ''], context) {
    if (!seesChannel(interaction, channelId)) {
      throw new UserError(({ texts }) => texts.scores.hidden(`<#${channelId}>`));
    }
    const watches = watchesIn(channelId, context);
    const ranking = await context.inTurn(() => readRanking(watches, context));
    const attachment = scoresCsv(ranking, await readSums(watches, context));
    await sendFile(interaction, { attachment, name: 'scores.csv' }, '', context);
    return null;
  },
};

/**
 * Reads the ranking from memory. If a wallet's track record there is missing or outdated, reads the
 * wallet's document.
 */
async function readRanking(watches: SomeWatches, context: CommandContext): Promise<Ranking> {
  const among = context.rankedIn(watches[0].channelId);
  const scores: WalletScore[] = [];
  for await (const piece of inTurns(watches)) {
    for (const watch of piece) {
      const record =
        context.keptRecordFor(watch, among) ??
        context.recordFor(await context.knowledge(watch.wallet), watch);
      scores.push({ wallet: watch.wallet, label: watch.label ?? undefined, record });
    }
  }
  return rankWallets(scores);
}

/**
 * Reads what was returned to each wallet, if it can be determined. The documents are read one after
 * another, each as a work turn of its own.
 */
async function readSums(watches: SomeWatches, context: CommandContext) {
  const sums = new Map<WalletAddress, CameBack>();
  for (const watch of watches) {
    const cameBack = await context.inTurn(() => readSum(watch, context));
    if (cameBack !== null) sums.set(watch.wallet, cameBack);
    // Processing a document takes some milliseconds.
    await nextTurn();
  }
  return sums;
}

async function readSum(watch: Watch, context: CommandContext): Promise<CameBack | null> {
  const kept = await context.knowledge(watch.wallet);
  if (kept === undefined) return null;
  return cameBackOf(context.accountsFor(kept, watch)).cameBack;
}
