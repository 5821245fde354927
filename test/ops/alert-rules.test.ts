import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPromtool, testRules } from '../support/servers.ts';
import { temporaryFolder } from '../support/temp.ts';

const LABELS = 'job="walletbell",instance="a"';
/**
 * A process that works, with three wallets; each sample is a quarter of a minute after the other.
 */
const WELL = {
  [`up{${LABELS}}`]: '1x240',
  [`walletbell_active{${LABELS},role="all",shards="auto",installation="1"}`]: '1x240',
  [`walletbell_wallets{${LABELS}}`]: '3x240',
  [`walletbell_standby_ready{${LABELS}}`]: '1x240',
  [`walletbell_ready{${LABELS},check="all"}`]: '1x240',
  [`walletbell_ready{${LABELS},check="store"}`]: '1x240',
  [`walletbell_ready{${LABELS},check="lastPoll"}`]: '1x240',
  [`walletbell_discord_send_pending_seconds{${LABELS}}`]: '0x240',
};

/** That of all rules these alone fire after 55 minutes. */
async function expectFiring(
  changes: Readonly<Record<string, string>>,
  expected: readonly string[],
): Promise<void> {
  const series = Object.entries({ ...WELL, ...changes }).map(([name, values]) => ({
    series: name,
    values,
  }));
  const check = (expr: string, value: number, labels = '{}') => ({
    eval_time: '55m',
    expr,
    exp_samples: [{ labels, value }],
  });
  const all =
    expected.length === 0
      ? check('absent(ALERTS{alertstate="firing"})', 1, '{alertstate="firing"}')
      : check('count(ALERTS{alertstate="firing"})', expected.length);
  const named = expected.map((name) =>
    check(`count(ALERTS{alertstate="firing",alertname="${name}"})`, 1),
  );
  const path = join(temporaryFolder(), 'rules.test.yml');
  const tests = [{ interval: '15s', input_series: series, promql_expr_test: [all, ...named] }];
  const rules = { rule_files: [resolve('ops/alerts.yml')], evaluation_interval: '15s', tests };
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(rules));
  expect(await testRules(path)).toContain('SUCCESS');
}

describe.skipIf(!hasPromtool)('the alert rules', () => {
  it('are silent while all is well', async () => {
    await expectFiring({}, []);
  });

  it('wake somebody for a full disk, although polls that find nothing succeed and nothing waits', async () => {
    const full = {
      [`walletbell_ready{${LABELS},check="all"}`]: '0x240',
      [`walletbell_ready{${LABELS},check="store"}`]: '0x240',
    };
    await expectFiring(full, ['WalletbellNotReady']);
  });

  it('warn of refusals that are about to have the address banned, and not of a start, which counts half', async () => {
    const refused = (recent: number) => ({
      [`walletbell_discord_refusals_limit{${LABELS}}`]: '10000x240',
      [`walletbell_discord_refusals_recent{${LABELS}}`]: `${recent}x240`,
    });
    await expectFiring(refused(5_500), []);
    await expectFiring(refused(6_001), ['WalletbellRefused']);
  });

  it('tell two installations apart, and find two processes of one that both work', async () => {
    const works = (installation: string) =>
      `walletbell_active{job="walletbell",instance="b",role="all",shards="auto",installation="${installation}"}`;
    const other = { [`up{job="walletbell",instance="b"}`]: '1x240' };
    await expectFiring({ ...other, [works('2')]: '1x240' }, []);
    await expectFiring({ ...other, [works('1')]: '1x240' }, ['WalletbellNotOneActive']);
  });

  it('wake nobody for a process without wallets, nor for a standby that is not ready: that is a warning', async () => {
    const idle = {
      [`walletbell_ready{${LABELS},check="all"}`]: '0x240',
      [`walletbell_wallets{${LABELS}}`]: '0x240',
    };
    await expectFiring(idle, []);
    const standby = 'job="walletbell",instance="b"';
    const waiting = {
      [`up{${standby}}`]: '1x240',
      [`walletbell_active{${standby},role="all",shards="auto",installation="1"}`]: '0x240',
      [`walletbell_standby_ready{${standby}}`]: '0x240',
    };
    await expectFiring(waiting, ['WalletbellStandbyNotReady']);
  });

  it('wake somebody for alerts that come more than ten minutes late for half an hour', async () => {
    const buckets = (late: string) => ({
      [`walletbell_alert_delay_seconds_bucket{${LABELS},le="600"}`]: '0x240',
      [`walletbell_alert_delay_seconds_bucket{${LABELS},le="1800"}`]: late,
      [`walletbell_alert_delay_seconds_bucket{${LABELS},le="+Inf"}`]: late,
    });
    await expectFiring(buckets('0+1x240'), ['WalletbellLate']);
  });
});
