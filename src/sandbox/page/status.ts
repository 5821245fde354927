import { html, nothing } from 'lit-html';
import type { PageStatus } from '../site/protocol.ts';

const BOT_WORDS = { starting: 'starting', running: 'running', stopped: 'not running' } as const;
const VENUE_WORDS = { up: 'answers', down: 'down', limited: 'answers 429', revoked: 'refuses the key' } as const;

const MEANINGS: Readonly<Record<string, string>> = {
  'Budget used': 'Requests of the key that the venue has counted in this window',
  Reset: 'When the venue counts from nothing again',
  Requests: 'Requests to the venue since the demo began',
  'Last delay': 'From the newest trade to its alert',
  Duplicates: 'Alerts that a channel got twice',
  'On the way': 'Records of the venue that a channel is still to be told of',
};

/** The strip at the top: what the bot does with its key, and whether the channels agree with the venue. */
export function statusStrip(status: PageStatus, isConnected: boolean, nowMs: number): unknown {
  const { budget, lastDelaySeconds } = status;
  const resetSeconds = budget === null ? null : Math.max(0, Math.ceil((budget.resetAtMs - nowMs) / 1000));
  const entries = [
    ['Bot', BOT_WORDS[status.bot], status.bot === 'stopped'],
    ['Venue', VENUE_WORDS[status.venue], status.venue !== 'up'],
    ['Budget used', budget === null ? '–' : `${budget.used} of ${budget.limit}`, false],
    ['Reset', resetSeconds === null ? '–' : resetSeconds === 0 ? 'now' : `in ${resetSeconds} s`, false],
    ['Requests', status.requests.toLocaleString('en'), false],
    ['Alerts', status.alerts.toLocaleString('en'), false],
    ['Last delay', lastDelaySeconds === null ? '–' : `${lastDelaySeconds.toFixed(1)} s`, false],
    ['Duplicates', String(status.duplicates), status.duplicates > 0],
    ['On the way', String(status.waiting), false],
    ...(isConnected ? [] : ([['Page', 'not connected', true]] as const)),
  ] as const;
  return html`<dl class="status" aria-label="Status">
    ${entries.map(
      ([name, value, isBad]) =>
        html`<div class=${isBad ? 'bad' : ''} data-status=${name} title=${MEANINGS[name] ?? nothing}><dt>${name}</dt><dd>${value}</dd></div>`,
    )}
  </dl>`;
}
