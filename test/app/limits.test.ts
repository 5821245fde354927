import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { followLimits, readLimitsAtStart } from '../../src/app/limits.ts';
import { USUAL_LIMITS } from '../../src/discord/quotas/exceptions.ts';
import { collectingLog } from '../support/log.ts';
import { temporaryFolder } from '../support/temp.ts';

/** Limits that follow a file, which has another time whenever it is written. */
function openLimits(atStart: object | null) {
  const path = join(temporaryFolder(), 'limits.json');
  let second = 0;
  const write = (text: string) => {
    writeFileSync(path, text);
    second += 1;
    utimesSync(path, second, second);
  };
  if (atStart !== null) write(JSON.stringify(atStart));
  const read = readLimitsAtStart(path, USUAL_LIMITS);
  if ('faults' in read) throw new Error(read.faults.join());
  const { log, lines } = collectingLog();
  const limits = followLimits(log, read.settings);
  onTestFinished(limits.stop);
  return { path, write, lines, limits };
}

it('follows the limits file: who has changed is told, and a file with a fault changes nothing', () => {
  const [one, other] = ['100000000000000001', '100000000000000002'];
  const { path, write, lines, limits } = openLimits({ guilds: { [one]: { weight: 2 } } });
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
  const guilds = { ...USUAL_LIMITS.guilds, lookupShare: 0.5 };
  expect(limits.usual()).toEqual({ ...USUAL_LIMITS, guilds });
  expect(changes.at(-1)?.toSorted()).toEqual([one, other, '@'].toSorted());
  expect(limits.get(one)).toBeUndefined();
});

it('counts in the log what has changed: servers, people and defaults', () => {
  const guilds = { '100000000000000001': { weight: 2 } };
  const { write, lines, limits } = openLimits({ guilds });
  const change = (content: object) => {
    write(JSON.stringify(content));
    limits.look();
    return lines.at(-1)?.['changed'];
  };
  const defaults = { guilds: { lookupShare: 0.5 }, users: { commandsPerMinute: 20 } };
  expect(change({ guilds, defaults: { guilds: defaults.guilds } })).toBe(1);
  expect(change({ defaults })).toBe(2);
  expect(change({})).toBe(2);
  expect(change({})).toBe(0);
});

it('takes a file that comes after the start, and says until then that there is none', () => {
  const { path, write, lines, limits } = openLimits(null);
  limits.look();
  expect(lines).toMatchObject([{ event: 'limits.missing', file: path }]);
  write(JSON.stringify({ people: { weight: 3 } }));
  limits.look();
  expect(limits.get('@')).toEqual({ weight: 3 });
});

it('keeps the limits while the file cannot be looked at, and takes it when it can be', () => {
  const { path, write, lines, limits } = openLimits({ people: { weight: 3 } });
  rmSync(path);
  symlinkSync(path, path);
  limits.look();
  limits.look();
  const faults = [expect.stringMatching(/^cannot be read: .*ELOOP/)];
  expect(lines).toMatchObject([{ event: 'limits.not_read', faults }]);
  expect(limits.get('@')).toEqual({ weight: 3 });

  rmSync(path);
  write(JSON.stringify({ people: { weight: 2 } }));
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
