import type { SeenEmbed, SeenMessage } from '@walletbell/local-discord/discord/events';
import { recordsIn } from '../../src/demo/alert-parser.ts';

/** An embed of an alert, and what the alert says in a few words. */
export type ShownAlert = SeenEmbed & { readonly line: string };

/**
 * The alerts of a message. A trade's words are `Whale BUY 7 Yes`, with its shares; those of others
 * stand above the embed.
 */
export function alertsIn(message: SeenMessage): ShownAlert[] {
  return message.embeds.map((embed) => {
    const content = message.embeds.length === 1 ? message.content : '';
    const [trade] = recordsIn({ ...message, content, embeds: [embed] }).filter(
      ({ kind }) => kind === 'fills',
    );
    const [, name = ''] = /\S+ \*\*(.*?)\*\* (?:BUY|SELL|REDEEM) /u.exec(content) ?? [];
    if (trade?.kind !== 'fills') {
      const [said = ''] = (embed.description ?? '').split('\n');
      return { ...embed, line: plain(content === '' ? said : content) };
    }
    return {
      ...embed,
      line: `${unescaped(name)} ${trade.action.toUpperCase()} ${trade.shares} ${trade.outcome}`,
    };
  });
}

/** Without delay, emoji, markup and mentions. */
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
