import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../../src/lib/error.ts';
import { createLog, namingGuilds } from '../../../src/lib/log/log.ts';
import { createRedactor } from '../../../src/lib/log/redact.ts';

type Log = ReturnType<typeof createLog>;

function logged(secret: string, write: (log: Log) => void): string {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  write(createLog({ level: 'trace', redact: createRedactor([secret]), destination }));
  return lines.join('');
}

/** The one line that is written. */
const lineOf = (write: (log: Log) => void) => JSON.parse(logged('secret-1', write));

describe('the log', () => {
  it('strikes a secret out of fields, messages, errors, causes and URLs', () => {
    const secret = fc
      .stringMatching(/^[\x21-\x7e]{6,40}$/)
      // Common words and numbers are struck elsewhere: see below.
      .filter(
        (text) => /[a-z]\d|\d[a-z]/i.test(text) && !'"level":30,time,msg,event'.includes(text),
      );
    fc.assert(
      fc.property(secret, (text) => {
        const cause = new Error(`https://x.test/?key=${encodeURIComponent(text)}`);
        const output = logged(text, (log) => {
          log.info({ event: 'a', headers: { authorization: `Bearer ${text}` } }, `said ${text}`);
          log.error({ event: 'b', err: new Error(`failed with ${text}`, { cause }) });
        });
        expect(output).not.toContain(JSON.stringify(text).slice(1, -1));
        expect(output).not.toContain(encodeURIComponent(text));
        expect(output.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(4);
      }),
    );
  });

  it('cuts a line that is too long text by text, so that it stays JSON, and says so', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(60_000), fc.nat(3_000), (json, length, entries) => {
        const output = logged('secret-1', (log) =>
          log.error(
            {
              event: 'x.failed',
              err: new Error(`${'m'.repeat(length)}secret-1`),
              list: Array.from({ length: entries }, (_, index) => `${index} ${json}`),
            },
            'and words'.repeat(length / 3),
          ),
        );
        expect(output.length).toBeLessThanOrEqual(16_001);
        expect(output).not.toContain('secret-1');
        const line = JSON.parse(output);
        expect(line).toMatchObject({ level: 50, event: 'x.failed' });
        if (length > 16_000) expect(line.cutFromCharacters).toBeGreaterThan(16_000);
      }),
      { numRuns: 50 },
    );
    const wide = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`field${index}`, index]),
    );
    const line = lineOf((log) => log.info({ event: 'x', ...wide }));
    expect(line).toMatchObject({ event: 'x', cutFromCharacters: expect.any(Number) });
  });

  it('is one JSON object a line, without a host name', () => {
    const line = lineOf((log) => log.info({ event: 'alert.sent', items: 3 }));
    expect(Object.keys(line).sort()).toEqual(['event', 'items', 'level', 'time']);
  });

  it('says each sentence of an error once, however often its causes repeat it, with the frames of all', () => {
    const words = fc.stringMatching(/^[a-z]{3,12}$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(words, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (sentences, isQuoting) => {
          const error = sentences.reduceRight<Error | undefined>((cause, word) => {
            const said =
              isQuoting && cause !== undefined ? `<${word}> (${cause.message})` : `<${word}>`;
            return new TypeError(said, { cause });
          }, undefined);
          const line = logged('secret-1', (log) => log.error({ event: 'x', err: error }));
          for (const word of sentences) expect(line.split(`<${word}>`).length, line).toBe(2);
          expect(JSON.parse(line).err.stack).toMatch(/^ {4}at .*log\.test\.ts:\d+/);
        },
      ),
    );
  });

  it('shows no stack of what an operator is told to do, but one of a bug behind it', () => {
    const stackOf = (err: Error) => lineOf((log) => log.error({ event: 'x', err })).err.stack;
    const full = Object.assign(new Error('SQLITE_FULL'), { code: 'SQLITE_FULL' });
    expect(stackOf(new OperatorError('Make room.', full))).toBeUndefined();
    expect(stackOf(new OperatorError('Make room.', new TypeError('x is no function')))).toContain(
      'log.test.ts',
    );
  });

  it('ends with a cause that leads back to its error, and names each of several errors', () => {
    const error = new Error('round');
    error.cause = error;
    const several = new AggregateError([error, new Error('other')], 'two');
    const { err } = lineOf((log) => log.error({ event: 'x', err: several }));
    const aggregateErrors = [{ message: 'round' }, { message: 'other' }];
    expect(err).toMatchObject({ message: 'two', aggregateErrors });
  });

  it('leaves out what a failed request carried', () => {
    const requestBody = { files: [Buffer.alloc(10)], json: 'long' };
    const error = Object.assign(new Error('no'), { requestBody, code: 50013 });
    const { err } = lineOf((log) => log.error({ event: 'x', err: error }));
    expect(err).toMatchObject({ message: 'no', code: 50013 });
    expect(err).not.toHaveProperty('requestBody');
  });

  it('names the guild of a channel where it is known, and nothing else', () => {
    const output = logged('secret-1', (log) => {
      const channelSettings = namingGuilds(log, (channel) => (channel === '1' ? '9' : undefined));
      channelSettings.info({ event: 'a', channel: '1' });
      channelSettings.info({ event: 'b', channel: '2' });
      channelSettings.info({ event: 'c' });
      channelSettings.info({ event: 'd', channel: '1', guild: '8' });
      channelSettings.error({ event: 'e', channel: '1', err: new Error('with secret-1') });
    });
    const texts = output.trim().split('\n');
    const lines = texts.map((text) => JSON.parse(text));
    expect(lines.map(({ guild }) => guild)).toEqual(['9', undefined, undefined, '8', '9']);
    expect(lines[4].err.message).toBe('with [redacted]');
  });
});
