import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { BotParts } from '../../src/app/bot-parts.ts';
import { addBotGauges, addFeedGauges } from '../../src/app/gauges.ts';
import { EMPTY_CHANNEL_QUEUE } from '../../src/delivery/channel-queue.ts';
import type { Feed } from '../../src/feed/interface.ts';
import { createOps } from '../../src/ops/ops.ts';
import { CHECK_NAMES } from '../../src/ops/readiness.ts';
import type { BudgetSnapshot } from '../../src/venue/rate-limit/budget.ts';
import { UNKNOWN_BUDGET } from '../../src/venue/rate-limit/budget.ts';
import { firstColumn, page, section, sorted } from '../docs/pages.ts';
import { answering } from '../support/answering.ts';
import { testMachine } from '../support/machine.ts';

const NOW_MS = 1_800_000_000_000;
const PARTS = {
  budget: {
    snapshot: (): BudgetSnapshot => ({
      ...UNKNOWN_BUDGET,
      ...{ limit: 600, allowance: 540, remaining: 300 },
      used: { person: 1, background: 0, poller: 2 },
    }),
    venueNowMs: () => NOW_MS,
  },
  feed: {
    trouble: () => null,
    lastPollMs: (): number | null => NOW_MS,
    availability: { trouble: () => null },
  },
  registry: { size: 10, suspendedSize: 2 },
  firstReading: { left: () => 0 },
  later: {
    channels: () => ['1'],
    waitingFor: () => ({ alerts: 0, oldestSeconds: 0 }),
    counts: () => ({ waiting: 0, dropped: 0 }),
  },
  deliveryWorker: {
    isBlocked: () => false,
    blockedChannels: () => ['2'],
    deadLetters: () => [],
    triesWaiting: () => 0,
  },
  alertsOut: { counts: () => ({ waiting: 3, dropped: 0 }) },
  refusals: { total: () => 1, count: () => 1, limit: 10_000 },
  gatewayFaults: { total: () => 0 },
  channelQueues: { channels: () => [], get: () => EMPTY_CHANNEL_QUEUE },
  gateway: {
    isUp: () => true,
    pingMs: (): number | null => 40,
    guilds: () => 3,
    isTokenShared: () => false,
    shards: () => [{ id: 0, isUp: true, pingMs: 40, guilds: 3 }],
  },
};

function opsOf(parts: typeof PARTS = PARTS, heartbeatUrl: string | null = null) {
  const machine = testMachine({ nowMs: () => NOW_MS, monotonicMs: () => NOW_MS });
  const ops = createOps(machine, {
    identity: { role: 'all', shards: 'auto', installation: '' },
    config: { HTTP_PORT: null, HEARTBEAT_URL: heartbeatUrl, pollMinSeconds: 1 },
    redact: (text) => text,
  });
  onTestFinished(ops.stop);
  ops.activate({ ...parts, isIdle: () => false, store: { async set() {} } });
  const stats = () => ({ requests: 7, retries: 1, skippedItems: 2 });
  const listing = () => ({ isLate: true, delaySeconds: 300, sinceMs: 0 });
  const feed = { budget: parts.budget, stats, availability: { listing } };
  addFeedGauges(ops.metrics, feed as object as Feed, () => 9);
  addBotGauges(ops.metrics, parts as object as BotParts, () => NOW_MS);
  return ops;
}

function metricsOf() {
  const { metrics, polled, arrived } = opsOf();
  polled('activity', 'ok');
  arrived('100000000000000001', { delaySeconds: 3, showsPosition: null });
  metrics.gaps({ endpoint: 'activity' });
  metrics.gapNotices({ cause: 'overflow' });
  metrics.sends({ outcome: 'sent' });
  metrics.sendSeconds.observe(0.1);
  metrics.storeErrors({ operation: 'set' });
  metrics.storeSeconds.observe({ operation: 'set' }, 0.01);
  metrics.commanded('watch add', 'ok', 0.2);
  metrics.heartbeats({ outcome: 'ok' });
  metrics.alertsOut({ outcome: 'taken' });
  return metrics;
}

function samples(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    const [, name, labels = ''] = /^([a-z_0-9]+)(?:\{(.*)\})? /i.exec(line) ?? [];
    if (name === undefined) continue;
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
    found.set(name, new Set([...(found.get(name) ?? []), ...names]));
  }
  return found;
}

const dashboardSchema = z.object({
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string().min(1),
      datasource: z.object({ uid: z.string() }),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z
        .array(z.object({ expr: z.string(), datasource: z.object({ uid: z.string() }) }))
        .min(1),
    }),
  ),
});
const dashboard = dashboardSchema.parse(
  JSON.parse(readFileSync('ops/grafana-dashboard.json', 'utf8')),
);
const rules = readFileSync('ops/alerts.yml', 'utf8');
const expressions = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...[...rules.matchAll(/^\s+expr: (.*)$/gm)].map(([, expr = '']) => expr),
];

describe('dashboard and alert rules', () => {
  it('name only metrics and labels that /metrics has', async () => {
    const known = samples(await metricsOf().text());
    expect(expressions.length).toBeGreaterThan(20);
    for (const expr of expressions) {
      const names = [...expr.matchAll(/\b(?:walletbell|process|nodejs)_\w+/g)].map(
        ([name]) => name,
      );
      for (const name of names) expect([...known.keys()], expr).toContain(name);
      for (const [, list = ''] of expr.matchAll(/\bby \(([^)]*)\)/g)) {
        for (const label of list.split(', ')) {
          // Prometheus adds these when it scrapes.
          if (label === 'job' || label === 'instance') continue;
          expect(
            names.some((name) => known.get(name)?.has(label)),
            `${label} in ${expr}`,
          ).toBe(true);
        }
      }
    }
  });

  it('show every figure of our own', async () => {
    const shown = expressions.join('\n');
    const own = [...samples(await metricsOf().text()).keys()].filter((name) =>
      name.startsWith('walletbell_'),
    );
    const forgotten = own
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''))
      .filter((name) => !shown.includes(name) && !['walletbell_build_info'].includes(name));
    const unshown = ['walletbell_command_seconds', 'walletbell_venue_requests_total'];
    expect(sorted(forgotten)).toEqual(unshown);
  });

  it('are five rules that a person is woken for, and two warnings', () => {
    const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
    expect(firstColumn(section(page('docs/metrics.md'), '## Alert rules'))).toEqual(names);
    expect(rules.match(/- alert: /g)).toHaveLength(7);
    expect(rules.match(/severity: page/g)).toHaveLength(5);
    for (const [, check = ''] of rules.matchAll(/check="(\w+)"/g))
      expect([...CHECK_NAMES, 'all']).toContain(check);
    // A comparison within absent() would leave out which instance is down, and be silent while
    // another one lives.
    expect(rules).not.toMatch(/absent\([^)]*==/);
    expect(rules).toContain('expr: up{job="walletbell"} == 0 or absent(up{job="walletbell"})');
  });

  it('let the data source be chosen, and lay no panel over another', () => {
    expect(dashboard.templating.list).toContainEqual({ name: 'datasource', type: 'datasource' });
    const taken = new Set<string>();
    for (const { datasource, targets, gridPos } of dashboard.panels) {
      for (const { uid } of [datasource, ...targets.map((target) => target.datasource)])
        expect(uid).toMatch(/^\$\{datasource\}$/);
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken).not.toContain(`${x},${y}`);
          taken.add(`${x},${y}`);
        }
      }
    }
  });
});

describe('metrics', () => {
  it('have every total from the start, so that the first increase is seen', async () => {
    const { metrics: fresh } = opsOf();
    const series = (text: string) =>
      [...text.matchAll(/^(walletbell_\w+_total(?:\{[^}]*\})?) \d+$/gm)].map(([, name]) => name);
    const before = series(await fresh.text());
    for (const outcome of ['ok', 'unauthorized', 'error', 'badResponse'] as const) {
      fresh.polls({ endpoint: 'deposits-withdrawals', outcome });
    }
    fresh.gaps({ endpoint: 'activity' });
    fresh.sends({ outcome: 'refused' });
    for (const cause of ['overflow', 'unclear', 'damage', 'backlog', 'watch'] as const)
      fresh.gapNotices({ cause });
    fresh.positions({ said: 'no' });
    fresh.storeErrors({ operation: 'delete' });
    fresh.heartbeats({ outcome: 'ok' });
    fresh.heartbeats({ outcome: 'failed' });
    expect(before).toContain('walletbell_heartbeats_total{outcome="failed"}');
    expect(before).toEqual(series(await fresh.text()));
    // Commands are known by their use: from the first on, with all that can become of it.
    fresh.commanded('watch add', 'ok', 0.1);
    const failed = 'walletbell_commands_total{command="watch add",outcome="failed"}';
    expect(series(await fresh.text())).toContain(failed);
  });

  it('have no sample for what is not known, and the total of whoever counts it', async () => {
    const { metrics } = opsOf({
      ...PARTS,
      gateway: { ...PARTS.gateway, pingMs: () => null },
      feed: { ...PARTS.feed, lastPollMs: () => null },
      budget: { ...PARTS.budget, snapshot: () => ({ ...PARTS.budget.snapshot(), limit: null }) },
    });
    const text = await metrics.text();
    expect(text).not.toMatch(/^walletbell_(gateway_ping|last_successful_poll|budget_limit)\w* /m);
    expect(text).toMatch(/^walletbell_venue_requests_total 7$/m);
  });

  it('are explained for operators with their labels: every one of our own, and none that there is not', async () => {
    const own = new Map<string, string[]>();
    for (const [name, labels] of samples(await metricsOf().text())) {
      if (!name.startsWith('walletbell_')) continue;
      const metric = name.replace(/_(bucket|sum|count)$/, '');
      const all = [...(own.get(metric) ?? []), ...labels];
      own.set(metric, sorted(all.filter((label) => label !== 'le')));
    }
    const explained = firstColumn(page('docs/metrics.md').text)
      .filter((code) => code.startsWith('walletbell_'))
      .map((code): [string, string[]] => [
        code.replace(/\{.*/, ''),
        sorted(/\{(.*)\}/.exec(code)?.[1]?.split(',') ?? []),
      ]);
    expect(Object.fromEntries(explained)).toEqual(Object.fromEntries(own));
  });

  it('hold no label for a wallet, a server or a channel', async () => {
    const labels = [...samples(await metricsOf().text())].flatMap(([, names]) => [...names]);
    const own =
      'le role shards installation endpoint outcome cause operation command priority channels check shard said';
    const ofProcess = 'version commit node type kind space major minor patch';
    const allowed = `${own} ${ofProcess}`.split(' ');
    expect(labels.filter((label) => !allowed.includes(label))).toEqual([]);
  });

  it('are a registry of their own each', async () => {
    const [one, other] = [metricsOf(), metricsOf()];
    one.polls({ endpoint: 'activity', outcome: 'ok' });
    const count = async (metrics: typeof one) =>
      /polls_total\{endpoint="activity",outcome="ok"\} (\d+)/.exec(await metrics.text())?.[1];
    expect([await count(one), await count(other)]).toEqual(['2', '1']);
  });
});

it('sends the heartbeat of a bot that is ready', async () => {
  const asked: string[] = [];
  const { origin } = await answering((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    outgoing.end();
  });
  opsOf(PARTS, `${origin}/here`).polled('activity', 'ok');
  await expect.poll(() => asked).toEqual(['GET /here']);
});
