import type { SeenMessage } from './discord/events.ts';

const SECOND = ['second', 1] as const;
const UNITS = [['day', 86_400], ['hour', 3_600], ['minute', 60], SECOND] as const;

/**
 * Returns a message as a person reads it, on one line: without markdown, links as their text, and
 * times in words.
 */
export function plainMessage(message: SeenMessage, nowSeconds: number): string {
  const embeds = message.embeds.map(({ title, description, fields, footer }) =>
    [title, description, ...fields.map(({ name, value }) => `${name}: ${value}`), footer?.text]
      .filter((part) => part !== null && part !== undefined && part !== '')
      .join(' — '),
  );
  return [message.content, ...embeds]
    .filter((part) => part !== '')
    .map((part) => plainText(part, nowSeconds))
    .join(' | ');
}

function plainText(markdown: string, nowSeconds: number): string {
  return markdown
    .replace(/<t:(\d+):R>/g, (_, seconds: string) => ago(nowSeconds - Number(seconds)))
    .replace(/<t:(\d+)(?::[a-zA-Z])?>/g, (_, seconds: string) =>
      new Date(Number(seconds) * 1000).toISOString().slice(0, 16),
    )
    .replace(/(?<!\\)\[((?:[^[\]\\]|\\.)*)\]\((?:https?:[^)\s]*)\)/g, '$1')
    .replace(/(^|\n| — )-# /g, '$1')
    .replace(/\*\*|(?<!\\)`/g, '')
    .replace(/\\(.)/gu, '$1')
    .replace(/(?<!\s)[^\S\n]*\n\s*(?=• )/g, ' ')
    .replace(/(?<!\s)[^\S\n]*\n\s*/g, ' — ');
}

function ago(seconds: number): string {
  return seconds < 0 ? `in ${inWords(-seconds)}` : `${inWords(seconds)} ago`;
}

/** Returns a duration in its largest unit, such as `3 hours`. */
function inWords(seconds: number): string {
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? SECOND;
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
