import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { followLimits, readLimitsAtStart } from '../../src/app/limits.ts';
import { USUAL_LIMITS } from '../../src/discord/quotas/exceptions.ts';
import { collectingLog } from '../support/log.ts';
import { temporaryFolder } from '../support/temp.ts';

function atStart(path: string) {
  const read = readLimitsAtStart(path, USUAL_LIMITS);
  if ('faults' in read) throw new Error(read.faults.join());
  return read.settings;
}

it('follows the limits file: who has changed is told, and a file with a fault changes nothing', () => {
  const path = join(temporaryFolder(), 'limits.json');
  let second = 0;
  const write = (text: string) => {
    writeFileSync(path, text);
    second += 1;
    utimesSync(path, second, second);
  };
  const [one, other] = ['100000000000000001', '100000000000000002'];
  write(JSON.stringify({ guilds: { [one]: { weight: 2 } } }));
  const { log, lines } = collectingLog();
  const limits = followLimits(log, atStart(path));
  onTestFinished(limits.stop);
  const changes: (readonly string[])[] = [];
  limits.listen((ownerIds) => changes.push(ownerIds));
  limits.look();
  expect([changes, lines]).toEqual([[], []]);

  write(JSON.stringify({ guilds: { [one]: { weight: 2 }, [other]: { blocked: true } } }));
  limits.look();
  limits.look();
  expect(changes).toEqual([[other]]);
  expect(limits.get(other)).toEqual({ blocked: true });

  write('{"guilds": {');
  limits.look();
  limits.look();
  rmSync(path);
  limits.look();
  expect(lines.map(({ event }) => event)).toEqual([
    'limits.read',
    'limits.not_read',
    'limits.not_read',
  ]);
  expect([limits.get(one), limits.get(other)]).toEqual([{ weight: 2 }, { blocked: true }]);

  write(JSON.stringify({ defaults: { users: { commandsPerMinute: 0 } } }));
  limits.look();
  expect(lines.at(-1)).toMatchObject({
    event: 'limits.not_read',
    faults: [expect.stringMatching(/^defaults\.users\.commandsPerMinute is not .*from 1 to/)],
  });
  expect(limits.usual()).toEqual(USUAL_LIMITS);
  // As Notepad writes it.
  const marked = { people: { weight: 3 }, defaults: { guilds: { lookupShare: 0.5 } } };
  write(`\uFEFF${JSON.stringify(marked)}`);
  limits.look();
  expect(limits.usual()).toEqual({
    ...USUAL_LIMITS,
    guilds: { ...USUAL_LIMITS.guilds, lookupShare: 0.5 },
  });
  expect(changes.at(-1)?.toSorted()).toEqual([one, other, '@'].toSorted());
  expect(limits.get(one)).toBeUndefined();
});

it('takes a file that comes after the start, and says until then that there is none', () => {
  const path = join(temporaryFolder(), 'limits.json');
  const { log, lines } = collectingLog();
  const limits = followLimits(log, atStart(path));
  onTestFinished(limits.stop);
  limits.look();
  expect(lines).toEqual([expect.objectContaining({ event: 'limits.missing', file: path })]);
  writeFileSync(path, JSON.stringify({ people: { weight: 3 } }));
  limits.look();
  expect(limits.get('@')).toEqual({ weight: 3 });
});

it('keeps the limits while the file cannot be looked at, and takes it when it can be', () => {
  const path = join(temporaryFolder(), 'limits.json');
  writeFileSync(path, JSON.stringify({ people: { weight: 3 } }));
  const { log, lines } = collectingLog();
  const limits = followLimits(log, atStart(path));
  onTestFinished(limits.stop);
  rmSync(path);
  symlinkSync(path, path);
  limits.look();
  limits.look();
  expect(lines).toEqual([
    expect.objectContaining({
      event: 'limits.not_read',
      faults: [expect.stringMatching(/^cannot be read: .*ELOOP/)],
    }),
  ]);
  expect(limits.get('@')).toEqual({ weight: 3 });

  rmSync(path);
  writeFileSync(path, JSON.stringify({ people: { weight: 2 } }));
  limits.look();
  expect(limits.get('@')).toEqual({ weight: 2 });
});

it('refuses a file at the start that is there and cannot be looked at', () => {
  const path = join(temporaryFolder(), 'limits.json');
  symlinkSync(path, path);
  expect(readLimitsAtStart(path, USUAL_LIMITS)).toEqual({
    faults: [expect.stringMatching(/^LIMITS_FILE .*: cannot be read: .*ELOOP/)],
  });
});
