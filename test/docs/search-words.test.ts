import { expect, it } from 'vitest';
import { page, section } from './pages.ts';

/** Words by which people search a page, and the heading under which they must find something. */
const SEARCHED: readonly (readonly [page: string, heading: string, words: readonly string[]])[] = [
  ['guide', '## Too many alerts?', ['spam', 'noise', 'threshold', 'ping', 'notification', 'mute']],
  ['guide', '### Quiet hours', ['do not disturb']],
  ['guide', '## Settings', ['rename', 'nickname']],
  ['guide', '### /watch remove', ['unwatch', 'unfollow']],
  ['guide', '### /watch why', ['not posted']],
  ['guide', '### /watch scores', ['win rate', 'P&L', 'PnL', 'ROI', 'leaderboard', 'ranking']],
  ['guide', '## Delayed channels', ['premium', 'free tier', 'paywall', 'delay']],
  ['guide', '## The first alert', ['thread', 'forum']],
  ['guide', '## Glossary', ['fill', 'share', 'maker', 'taker', 'redeem', 'edge', 'significant']],
  ['operating', '## Update', ['upgrade', 'downgrade', 'roll back', 'rollback']],
  ['operating', '## Move a store', ['migrate', 'PostgreSQL']],
  ['operating', '## Back up and restore', ['cron', 'timer']],
  ['operating', '### Logs', ['log rotation', 'journald']],
  ['operating', '### Change a token, a key or a password', ['rotate', 'revoke']],
  ['operating', '## What it needs', ['firewall', 'outbound']],
  ['operating', '### Platforms', ['Windows', 'macOS', 'Kubernetes']],
  ['operating', '### All watches together', ['capacity']],
  ['operating', '## Troubleshooting', ['late alerts']],
  ['scaling', '## Wallets by requests a minute', ['capacity']],
  ['scaling', '## A standby', ['high availability', 'failover', 'replica']],
  ['metrics', '# Health and metrics', ['Prometheus', 'Grafana', 'monitoring']],
  ['track-records', '# Track records', ['win rate', 'P&L', 'ROI', 'leaderboard']],
  ['track-records', '## How a verdict is found', ['significance', 'confidence']],
];

it.each(SEARCHED)('%s: people find "%s" by the words that they search', (name, heading, words) => {
  const text = section(page(`docs/${name}.md`), heading).toLowerCase();
  expect(words.filter((word) => !text.includes(word.toLowerCase()))).toEqual([]);
});
