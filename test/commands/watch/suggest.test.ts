import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../../commands/shared/context.ts';
import { watchChannel } from '../../../commands/watch/channel.ts';
import { watchPause } from '../../../commands/watch/pause.ts';
import type { Subcommand } from '../../../commands/watch/shared/command.ts';
import { parseDuration } from '../../../src/language/duration.ts';
import { ENGLISH } from '../../../src/language/language.ts';
import type { Choice, Completion } from '../../../src/slash-commands/slash-command.ts';
import { suggestWords } from '../../../src/watches/settings/words.ts';
import { edited, suggestSetting } from './settings-samples.ts';

const values = (choices: readonly { readonly value: string }[]) =>
  choices.map(({ value }) => value);

function suggestOf(
  { options }: Pick<Subcommand<unknown>, 'options'>,
  option: string,
  typed: string,
) {
  const length = options?.find(({ name }) => name === option);
  return (length?.suggest?.(typed, { language: ENGLISH } as CommandContext, {} as Completion) ??
    []) as readonly Choice[];
}

const suggested = (option: string, typed: string) => values(suggestSetting(option, typed, ENGLISH));
const suggestPause = (typed: string) => suggestOf(watchPause, 'for', typed);
const suggestWithin = (typed: string) => values(suggestOf(watchChannel, 'consensus-within', typed));

describe('suggestions for settings', () => {
  it('go on with a list of kinds', () => {
    expect(suggested('kinds', '')).toContain('buy, sell');
    expect(suggested('kinds', 'b')).toEqual(['buy']);
    expect(suggested('kinds', 'buy')).toEqual([
      'buy',
      'buy, sell',
      'buy, redeem',
      'buy, deposit',
      'buy, withdrawal',
      'buy, opens',
      'buy, adds',
      'buy, reduces',
      'buy, closes',
      'buy, other',
    ]);
    expect(suggested('kinds', 'buy, s')).toEqual(['buy, sell']);
  });

  it('make a time of a bare number, and show the usual ones first', () => {
    expect(suggested('cooldown', '')).toContain('10m');
    expect(suggested('cooldown', '10')).toEqual(['10m', '10h', '10s']);
    expect(suggested('mention-cooldown', '90 min')).toEqual(['1h30m']);
    expect(values(suggestPause('2'))).toEqual(['2m', '2h', '2d', '2s']);
    expect(suggestWithin('1')).toEqual(['1m', '1h', '1d', '1s', '12h']);
    expect(suggestWithin('')).toContain('1d');
    expect(suggestWithin('4d'), 'longer than is taken').toEqual([]);
    expect(values(suggestPause('')).every((text) => parseDuration(text) !== null)).toBe(true);
  });

  it('show how markets are written', () => {
    expect(suggested('markets', 'rain')).toEqual(['only: rain', 'except: rain']);
    expect(suggested('markets', 'except: rain, 501')).toEqual([
      'except: rain, 501',
      'only: rain, 501',
    ]);
    expect(suggested('markets', '')).toEqual(['any']);
  });

  it('offer words of the markets that were seen, the commonest first, as an end of the list so far', () => {
    const seen = [
      'Lakers vs. Celtics',
      'Lakers vs. Élan',
      'Will it rain?',
      'Will it snow?',
      'Bitcoin up or down',
    ].map((marketTitle) => ({ marketTitle, eventSlug: 'nba' }));
    expect(values(suggestWords('', seen, ENGLISH)).slice(0, 3)).toEqual([
      'any',
      'only: lakers',
      'except: lakers',
    ]);
    expect(values(suggestWords('', seen, ENGLISH)), 'all of them share it').not.toContain(
      'only: nba',
    );
    expect(values(suggestWords('', seen, ENGLISH)), 'many titles have it').not.toContain(
      'only: will',
    );
    expect(values(suggestWords('wil', seen, ENGLISH))).toContain('only: will');
    expect(values(suggestWords('except: nba, él', seen, ENGLISH))).toEqual([
      'except: nba, él',
      'only: nba, él',
      'except: nba, elan',
    ]);
    expect(values(suggestWords('NB', seen, ENGLISH))).toEqual([
      'only: nb',
      'except: nb',
      'only: nba',
      'except: nba',
    ]);
  });

  it('are accepted when they are chosen, whatever was typed before', () => {
    const options = fc.constantFrom('kinds', 'reset', 'markets', 'words', 'cooldown');
    const texts = fc.array(
      fc.constantFrom('buy', 'se', ',', ' ', '1', 'm', 'h', 'only:', 'price', 'a-b', '501', 'x'),
    );
    fc.assert(
      fc.property(options, texts, (option, pieces) => {
        const text = pieces.join('');
        for (const value of suggested(option, text)) {
          expect(value.length).toBeLessThanOrEqual(100);
          expect(edited({ [option]: value }), value).toBeTypeOf('object');
        }
      }),
    );
  });
});
