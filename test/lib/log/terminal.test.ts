import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { line, ok } from '../../../src/cli/doctor/finding.ts';
import { terminalLine } from '../../../src/lib/log/terminal.ts';

const TIME = new Date(2026, 4, 1, 14, 2, 11).getTime();

describe('a log line on a terminal', () => {
  it('is one line in words, with an error and its stack below it', () => {
    const fields = {
      level: 40,
      time: TIME,
      event: 'alert.retry',
      attempt: 2,
      channel: '12',
      msg: 'again',
    };
    expect(terminalLine(JSON.stringify(fields))).toBe(
      '14:02:11 WARN alert.retry again attempt=2 channel="12"\n',
    );
    const err = { type: 'Error', message: 'no', stack: '    at send (worker.js:1:2)' };
    expect(terminalLine(JSON.stringify({ level: 50, time: TIME, event: 'bug', err }))).toBe(
      '14:02:11 ERROR bug\n    Error: no\n        at send (worker.js:1:2)\n',
    );
  });

  it('holds no control or format character but its line breaks, and no line that begins like a log line, whatever it says', () => {
    const texts = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(texts, texts, texts, (event, reason, stack) => {
        const shown = terminalLine(
          JSON.stringify({ level: 30, time: TIME, event, reason, err: { message: reason, stack } }),
        );
        const [, ...others] = shown.trimEnd().split('\n');
        for (const other of others) expect(other).toMatch(/^ {4}/);
        expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
    expect(terminalLine('no JSON \u009b31m')).toBe('no JSON  31m\n');
    expect(terminalLine('{"level":30,"event":"x","label":"\u202eevil\u2066"}')).toMatch(
      / INFO x label=" evil "\n$/,
    );
    expect(line(ok('channels', 'in \u202eevil\u001b[2J\u2028x'))).toBe(
      'ok    channels    in evil [2J x',
    );
  });
});
