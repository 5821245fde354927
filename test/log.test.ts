import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLog } from '../src/log.ts';

function logged(secret: string, write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog({ level: 'trace', secrets: [secret], destination: { write: (line) => void lines.push(line) } }));
  return lines.join('');
}

describe('the log', () => {
  it('strikes a secret out of fields, messages, errors, causes and URLs', () => {
    const secret = fc
      .stringMatching(/^[\x21-\x7e]{6,40}$/)
      .filter((text) => !'"level":30,time,msg,event'.includes(text));
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

  it('is one JSON object a line, without a host name', () => {
    const line = JSON.parse(logged('secret', (log) => log.info({ event: 'alert.sent', items: 3 })));
    expect(Object.keys(line).sort()).toEqual(['event', 'items', 'level', 'time']);
  });
});
