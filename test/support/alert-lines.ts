import type { SeenEmbed, SeenMessage } from '@walletbell/local-discord/discord/events';
import { recordsIn, type ShownRecords } from '../../src/demo/alert-parser.ts';
import { ADD_FORM } from '../../src/discord/guilds/welcome.ts';

/** An alert's embed, with a short text of the alert. */
export type ShownAlert = SeenEmbed & { readonly line: string };

const NO_EMBED: SeenEmbed = {
  title: null,
  description: null,
  url: null,
  timestamp: null,
  color: null,
  footer: null,
  imageUrl: null,
  thumbnailUrl: null,
  author: null,
  fields: [],
};

/**
 * Returns the alerts in a message. A trade's line is like `Whale BUY 7 Yes`, with its shares; the
 * line of other alerts is the text above the embed.
 */
export function alertsIn(message: SeenMessage): ShownAlert[] {
  if (message.embeds.length === 0 && isAlert(message)) return [withoutBox(message)];
  return message.embeds.map((embed) => {
    const content = message.embeds.length === 1 ? message.content : '';
    const [trade] = recordsIn({ ...message, content, embeds: [embed] }).filter(
      ({ kind }) => kind === 'fills',
    );
    if (trade?.kind !== 'fills') {
      const [said = ''] = (embed.description ?? '').split('\n');
      return { ...embed, line: plain(content === '' ? said : content) };
    }
    return { ...embed, line: tradeWords(content, trade) };
  });
}

/**
 * Whether it is a message of the bot's own other than its welcome message. An alert in a compact
 * channel has no embed.
 */
export function isAlert({ interactionId, embeds, components }: SeenMessage): boolean {
  const isWelcome = JSON.stringify(components).includes(`"${ADD_FORM}"`);
  return interactionId === null && !isWelcome && (embeds.length > 0 || components.length > 0);
}

function withoutBox(message: SeenMessage): ShownAlert {
  const [firstLine = '', ...small] = message.content.split('\n');
  const box = { ...NO_EMBED, description: small.join('\n') };
  const [trade] = recordsIn(message);
  if (trade?.kind !== 'fills') return { ...box, line: plain(firstLine) };
  return { ...box, line: tradeWords(firstLine, trade) };
}

/** Returns a line such as `Whale BUY 7 Yes`. */
function tradeWords(firstLine: string, trade: Extract<ShownRecords, { kind: 'fills' }>): string {
  const [, name = ''] = /\S+ \*\*(.*?)\*\* (?:BUY|SELL|REDEEM) /u.exec(firstLine) ?? [];
  return `${unescaped(name)} ${trade.action.toUpperCase()} ${trade.shares} ${trade.outcome}`;
}

/** Returns the text without delay, emoji, markup and mentions. */
function plain(markdown: string): string {
  return markdown
    .replace(/^(?:⏱ [^·]* · )?\S+ /u, '')
    .replace(/ <@&\d+>/g, '')
    .replaceAll('**', '')
    .replace(/\\(.)/gu, '$1');
}

function unescaped(name: string): string {
  return name.replace(/\\(.)/gu, '$1');
}
