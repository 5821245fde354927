import { describe, expect, it } from 'vitest';
import { channelName } from '../../commands/watch/shared/words.ts';
import { drawnTime, withWrittenTimes } from '../../src/language/drawn-time.ts';
import { parseDuration } from '../../src/language/duration.ts';
import { LANGUAGE_TAGS, languageFor } from '../../src/language/language.ts';
import { parseKinds } from '../../src/watches/settings/kinds.ts';

const TRADES = ['buy', 'sell'];
const TRANSFERS = ['deposit', 'withdrawal'];
const GROUPS_TYPED = [
  ['trades', TRADES],
  ['Trades', TRADES],
  ['operaciones', TRADES],
  ['operações', TRADES],
  ['取引', TRADES],
  ['交易', TRADES],
  ['transfers', TRANSFERS],
  ['transferts', TRANSFERS],
  ['transferencias', TRANSFERS],
  ['transferências', TRANSFERS],
  ['入出金', TRANSFERS],
  ['转账', TRANSFERS],
  ['轉賬', TRANSFERS],
  ['Ein- und Auszahlungen', TRANSFERS],
  ['Käufe, Ein- und Auszahlungen', ['buy', ...TRANSFERS]],
] as const;

const textsOf = (tag: string) => languageFor(tag).texts;

describe('a text that names an outcome', () => {
  /** Languages in which an outcome called No before a verb says that it did not happen. */
  const NEGATED = ['es-ES', 'es-419', 'pt-BR'];

  it.each(NEGATED)('never has it before the verb, where "No" would turn it round: %s', (tag) => {
    const { digest, news } = textsOf(tag);
    const said = [
      digest.settled.won('**No**', 'Whale'),
      digest.settled.lost('**No**', 'Whale'),
      digest.settled.paid('**No**', '50¢', 'Whale'),
      news.result.settled('**No**', '50¢'),
    ];
    expect(said.filter((text) => /(^|: )\**No\** (?!\()/.test(text))).toEqual([]);
  });
});

describe('the server’s figures of /watch status', () => {
  it.each(LANGUAGE_TAGS)('are not called the channel’s: %s', (tag) => {
    const { status } = textsOf(tag).watch;
    for (const text of [status.fields.here, status.walletsHere(3)]) {
      expect(text).not.toMatch(/チャンネル|频道|頻道|channel|Kanal|salon|canal/i);
    }
  });

  it.each(LANGUAGE_TAGS)('are a person’s own in a direct message: %s', (tag) => {
    const { here, yours } = textsOf(tag).watch.status.fields;
    expect(yours).not.toBe(here);
    expect(yours).not.toMatch(/サーバー|服务器|server/i);
  });

  it('have times that Discord draws, and logs have ISO times', () => {
    const at = Date.UTC(2027, 0, 15, 8);
    for (const tag of LANGUAGE_TAGS) {
      const { status } = textsOf(tag).watch;
      for (const text of [
        status.feedAway(drawnTime(at, 'f')),
        status.noPollPlanned(drawnTime(at, 'f')),
        status.paused(drawnTime(at, 't')),
      ]) {
        expect(text).toContain('<t:1800000000:');
        expect(withWrittenTimes(text)).toContain('2027-01-15T08:00:00.000Z');
        expect(withWrittenTimes(text)).not.toContain('<t:');
      }
    }
  });
});

describe('a direct message in the place of a channel', () => {
  /** What would be wrong grammar, or wrong spaces. */
  const WRONG: Readonly<Record<string, RegExp>> = {
    'pt-BR': /\b(?:em|de) esta DM/,
    de: /(?<!in )dieser DM|in diese DM/i,
    ja: /\p{Script=Hiragana} この DM/u,
    'zh-CN': / 此私信|此私信 /,
  };

  it.each(Object.entries(WRONG))('is grammatical in every text: %s', (tag, wrong) => {
    const language = languageFor(tag);
    const dm = channelName('1', {
      place: { kind: 'directMessage', ownerId: '@1' },
      language,
    });
    const { watch, digest, files, scores } = language.texts;
    const said = [
      watch.nothingWatched(dm),
      watch.notHere(dm),
      watch.add.watching('Whale', dm),
      watch.edit.where('0x', dm),
      watch.removed('0x', 'Whale', dm),
      watch.pause.one('Whale', dm, null),
      watch.pause.only(dm, null),
      watch.pause.all(3, dm, null),
      watch.resume.one('Whale', dm),
      watch.resume.only(dm),
      watch.resume.all(3, dm),
      watch.resume.nothingPaused(dm),
      watch.resume.notPaused('Whale', dm),
      watch.channel.full(dm),
      digest.answer.hadNone(dm),
      digest.answer.ended(dm),
      files.import.added('Whale', dm),
      scores.intro(dm),
    ];
    expect(said.filter((text) => wrong.test(text))).toEqual([]);
    const channels = said.map((text) => text.replaceAll(dm, ''));
    expect(channels.every((text) => text !== '')).toBe(true);
  });
});

describe('one word for one thing', () => {
  it.each(['de', 'es-ES', 'pt-BR'])('lookups are not called as polls are: %s', (tag) => {
    const { errors, personal, watch } = textsOf(tag);
    const polls = [watch.status.fields.polls, watch.status.checks.lastPoll];
    const lookups = [errors.quota.lookups(10, '60 s', 'x'), personal.lookups(10, '60 s', 'x')];
    for (const word of polls) {
      for (const text of lookups) expect(text.toLowerCase()).not.toContain(word.toLowerCase());
    }
  });

  it.each(['es-ES', 'es-419', 'pt-BR'])('a share is not called as an action is: %s', (tag) => {
    const { names, alerts } = textsOf(tag);
    for (const text of [names.options.action, alerts.headline.unknownAction]) {
      expect(text).not.toMatch(/(?<!\p{L})(?:acción|ação)/u);
    }
  });

  it('French says "no alerts" so that nobody reads "more alerts"', () => {
    expect(textsOf('fr').alerts.headline.missing.watch).not.toMatch(/plus d’alertes/);
  });

  it('French agrees with fills and with redemptions', () => {
    const { fills } = textsOf('fr').details;
    expect(fills.title(fills.trades('2', 2))).not.toMatch(/récente?/);
  });
});

describe('typed words', () => {
  it.each(GROUPS_TYPED)('%s is read as several kinds', (typed, kinds) => {
    expect(parseKinds(typed)).toEqual(kinds);
  });

  it.each([
    ['1 hora e 30 minutos', 5400],
    ['1 Stunde und 30 Minuten', 5400],
    ['1 heure et 30 minutes', 5400],
    ['1 hora y 30 minutos', 5400],
    ['1 hour and 30 minutes', 5400],
    ['一天', 86_400],
    ['两小时', 7200],
    ['十分钟', 600],
    ['一時間', 3600],
    ['1 天', 86_400],
    ['十五分钟', null],
    ['and 30 min', null],
    ['1 h and', null],
  ])('%s is %s seconds', (typed, seconds) => expect(parseDuration(typed)).toBe(seconds));
});
