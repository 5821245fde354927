import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ENDPOINT_NAMES } from '../domain/records.ts';
import { RELEASE } from '../lib/release.ts';

/** Up to a day, because late alerts after an outage count as well. */
const DELAY_BUCKETS_SECONDS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400,
];
const CALL_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const COMMAND_OUTCOMES = ['ok', 'refused', 'failed'] as const;
const PREFIX = 'walletbell_';

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates Prometheus metrics in a separate registry: counters and histograms for the parts that
 * record events, and functions to add gauges that read the parts. No label ever contains a wallet,
 * a server or a channel.
 */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { gauge, gauges, total, counter, histogram } = createInstruments(registry);
  gauge('build_info', 'Always 1; says what runs.', () => 1, {
    ...RELEASE,
    node: process.version,
  });
  return {
    contentType: registry.contentType,
    /** Returns the exposition text, with the present values. */
    text: () => registry.metrics(),
    gauge,
    gauges,
    total,
    commanded: createCommandMetrics(registry),
    alertDelay: histogram(
      'alert_delay_seconds',
      'From a record to the message that announces it, by the venue’s clock.',
      DELAY_BUCKETS_SECONDS,
    ),
    positions: counter(
      'alert_positions_total',
      'Trades and redemptions announced, with what they mean for the position or without.',
      { said: ['yes', 'no'] },
    ),
    polls: counter('polls_total', 'Polls by endpoint and outcome.', {
      endpoint: ENDPOINT_NAMES,
      outcome: [
        'ok',
        'unauthorized',
        'notInPlan',
        'rateLimited',
        'unreachable',
        'badResponse',
        'budgetExhausted',
        'error',
      ],
    }),
    gaps: counter('gaps_total', 'Polls that found more than a first page shows.', {
      endpoint: ENDPOINT_NAMES,
    }),
    amended: counter(
      'records_amended_total',
      'Records that the venue changed after it had shown them.',
      { endpoint: ENDPOINT_NAMES },
    ),
    gapNotices: counter(
      'gap_notices_sent_total',
      'Notices to channels that something may be missing.',
      {
        cause: ['overflow', 'unclear', 'damage', 'backlog', 'watch'],
      },
    ),
    sends: counter('discord_sends_total', 'Messages sent to channels, by outcome.', {
      outcome: ['sent', 'retry', 'delivered', 'rejected', 'blocked', 'banned', 'refused'],
    }),
    sendSeconds: histogram(
      'discord_send_seconds',
      'Until Discord answers a message.',
      CALL_BUCKETS_SECONDS,
    ),
    storeErrors: counter('store_errors_total', 'Store operations that failed.', {
      operation: ['get', 'set', 'delete'],
    }),
    storeSeconds: histogram('store_operation_seconds', 'Store operations.', CALL_BUCKETS_SECONDS, [
      'operation',
    ]),
    alertsOut: counter(
      'alerts_out_total',
      'Attempts to hand an alert on to ALERTS_URL, by outcome.',
      { outcome: ['taken', 'failed', 'refused', 'expired', 'gone'] },
    ),
    heartbeats: counter('heartbeats_total', 'Pings of HEARTBEAT_URL by outcome.', {
      outcome: ['ok', 'failed'],
    }),
  };
}

function named(registry: Registry, name: string, help: string) {
  return { name: PREFIX + name, help, registers: [registry] };
}

/** Creates functions that add metrics to a registry. */
function createInstruments(registry: Registry) {
  return {
    /**
     * @returns a function that counts one. Every series exists from the start, so that a rate over
     *   it includes the first increase.
     */
    counter<const Labels extends Readonly<Record<string, readonly string[]>>>(
      name: string,
      help: string,
      labels: Labels,
    ) {
      const labelNames = Object.keys(labels);
      const made = new Counter({ ...named(registry, name, help), labelNames });
      const series = Object.entries(labels).reduce<Record<string, string>[]>(
        (before, [label, values]) =>
          before.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
        [{}],
      );
      for (const one of series) made.inc(one, 0);
      return (one: { readonly [Label in keyof Labels]: Labels[Label][number] }) => made.inc(one);
    },
    histogram: <Label extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      labels: Label[] = [],
    ) => new Histogram({ ...named(registry, name, help), buckets, labelNames: labels }),
    /** Reads the value at each exposition; null means unknown, and there is then no sample. */
    gauge: (
      name: string,
      help: string,
      read: () => number | null,
      labels: Record<string, string> = {},
    ) =>
      new Gauge({
        ...named(registry, name, help),
        labelNames: Object.keys(labels),
        collect() {
          const sample = read();
          if (sample === null) this.remove(labels);
          else this.set(labels, sample);
        },
      }),
    /** Like `gauge`, with a series for each value of a label. */
    gauges: (
      name: string,
      help: string,
      label: string,
      read: () => Readonly<Record<string, number | null>>,
    ) =>
      new Gauge({
        ...named(registry, name, help),
        labelNames: [label],
        collect() {
          this.reset();
          for (const [value, sample] of Object.entries(read())) {
            if (sample !== null) this.set({ [label]: value }, sample);
          }
        },
      }),
    /** Adds a counter whose value a part tracks itself. */
    total: (name: string, help: string, read: () => number) =>
      new Counter({
        ...named(registry, name, help),
        collect() {
          this.reset();
          this.inc(read());
        },
      }),
  };
}

/** Counts commands and their durations; the series of a command exist once it was first used. */
function createCommandMetrics(registry: Registry) {
  const commands = new Counter({
    ...named(registry, 'commands_total', 'Slash commands and button presses by outcome.'),
    labelNames: ['command', 'outcome'],
  });
  const seconds = new Histogram({
    ...named(registry, 'command_seconds', 'Until a command is answered.'),
    buckets: CALL_BUCKETS_SECONDS,
    labelNames: ['command'],
  });
  /** @param command as typed, without its options: `watch add` */
  return (
    command: string,
    outcome: (typeof COMMAND_OUTCOMES)[number],
    durationSeconds: number,
  ): void => {
    for (const each of COMMAND_OUTCOMES) {
      commands.inc({ command, outcome: each }, Number(each === outcome));
    }
    seconds.observe({ command }, durationSeconds);
  };
}
