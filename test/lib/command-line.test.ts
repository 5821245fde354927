import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { optionFault, readWords } from '../../src/lib/command-line.ts';

const USAGE = 'Use: npm run backup -- FILE';

describe('the command line', () => {
  it('takes as many words as a program wants', () => {
    const texts = ['copy.sqlite'];
    expect(readWords(texts, USAGE, { least: 1 })).toMatchObject({ texts });
    expect(readWords([], USAGE)).toMatchObject({ texts: [] });
    expect(readWords(['--', '--help'], USAGE, { least: 1 })).toMatchObject({ texts: ['--help'] });
  });

  it.each([['--help'], ['-h'], ['copy', '--help'], ['a', 'b', '--help']])(
    'helps when asked by %s %s',
    (...args) => {
      expect(readWords(args, USAGE, { least: 1 })).toEqual({ exitCode: 0, text: USAGE });
    },
  );

  it.each([
    [['--force'], "Unknown option '--force'."],
    [['copy', '-x'], "Unknown option '-x'."],
    [['--help=yes'], "Option '-h, --help' does not take an argument."],
    [['a', 'b'], '"b" is not taken here.'],
    [[], 'A word is missing.'],
  ])('refuses %j, says why, and how it is used', (args, reason) => {
    const text = `${reason}\n${USAGE}`;
    expect(readWords(args, USAGE, { least: 1 })).toEqual({ exitCode: 64, text });
  });

  it.each([
    [['--port', '-1'], 'The value of --port is missing, or begins with a hyphen'],
    [['-p', '-1'], 'The value of -p is missing, or begins with a hyphen'],
    [['--port'], "Option '-p, --port <value>' argument missing"],
    [['--x'], "Unknown option '--x'"],
    [['x'], "Unexpected argument 'x'"],
  ])('says in a line what is wrong with %j', (args, reason) => {
    const options = { port: { type: 'string', short: 'p' } } as const;
    const said = () => {
      try {
        return parseArgs({ args, options });
      } catch (error) {
        return optionFault(error);
      }
    };
    expect(said()).toBe(reason);
  });
});
