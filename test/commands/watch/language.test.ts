import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roundStep, type Status } from '../../../commands/shared/context.ts';
import { hintsOf, readOptions, settingsLines } from '../../../commands/watch/edit.ts';
import { RESETTABLE, resetName } from '../../../commands/watch/shared/resettable.ts';
import { statusEmbed, summaryEmbed } from '../../../commands/watch/status.ts';
import { classifyFailure, sayFailure } from '../../../src/delivery/failures.ts';
import { textLength } from '../../../src/embeds/text/escape.ts';
import { EMBED_LIMITS } from '../../../src/embeds/text/limits.ts';
import { drawnTime } from '../../../src/language/drawn-time.ts';
import { parseDuration } from '../../../src/language/duration.ts';
import type { Names } from '../../../src/language/en/names.ts';
import {
  ENGLISH,
  LANGUAGE_TAGS,
  type Language,
  type LocalizedText,
  languageFor,
} from '../../../src/language/language.ts';
import type { Check } from '../../../src/ops/readiness.ts';
import { EFFECTS } from '../../../src/portfolio/trade-context.ts';
import { UNKNOWN_BUDGET } from '../../../src/venue/rate-limit/budget.ts';
import { durationWords, suggestDurations } from '../../../src/watches/settings/durations.ts';
import { kindsWords, parseKinds } from '../../../src/watches/settings/kinds.ts';
import { KINDS } from '../../../src/watches/settings/setting.ts';
import { typedName } from '../../../src/watches/settings/typed.ts';
import {
  DEFAULT_SETTINGS,
  MARKETS_LIMIT,
  parseMarkets,
  settingsSchema,
  settingsWords,
} from '../../../src/watches/watch-settings.ts';
import { hostileText } from '../../embeds/hostile-text.ts';
import { assertEmbedLimits } from '../../support/embed-limits.ts';
import { randomRuns } from '../../support/thorough.ts';
import {
  EDITED,
  edited,
  given,
  REFUSED,
  settingsArbitrary,
  suggestSetting,
  UNEDITED,
} from './settings-samples.ts';

const LANGUAGES = LANGUAGE_TAGS.map((tag) => [tag, languageFor(tag)] as const);
const OTHERS = LANGUAGES.filter(([tag]) => tag !== 'en-US');
const UNREADABLE = /undefined|null|NaN|\[object|=>/;
it('reads kinds in traditional characters as in simplified ones', () => {
  expect(parseKinds('買入、賣出')).toEqual(parseKinds('买入、卖出'));
  expect(parseKinds('開倉, 減倉, 平倉, 贖回, 提現')).toEqual(
    parseKinds('开仓, 减仓, 平仓, 赎回, 提现'),
  );
});

it('reads every name and word of Chinese settings in traditional characters', () => {
  const toTraditional: Record<string, string> = {
    标签: '標籤',
    类型: '類型',
    合并方式: '合併方式',
    市场筛选: '市場篩選',
    词语: '詞語',
    价格: '價格',
    流动性: '流動性',
    间隔: '間隔',
    静音低于usdc: '靜音低於usdc',
    静音时段: '靜音時段',
    仅限: '僅限',
    无: '無',
  };
  const { names, watch } = languageFor('zh-CN').texts;
  const typed = [...Object.values(names.options), ...Object.values(names.typed)];
  for (const [simplified, traditional] of Object.entries(toTraditional)) {
    expect.soft([...typed, watch.settings.resetPrice], simplified).toContain(simplified);
    expect.soft(typedName(traditional)).toBe(typedName(simplified));
  }
  expect(parseMarkets('僅限：501')).toEqual(parseMarkets('仅限：501'));
});

describe.each(LANGUAGES)('/watch in %s', (_tag, language) => {
  it('shows settings with every figure in them, within the limits, and brings nothing hostile to life', () => {
    const names = fc.array(hostileText(8), { minLength: 1, maxLength: MARKETS_LIMIT });
    fc.assert(
      fc.property(settingsArbitrary(), names, (settings, hostile) => {
        const markets = { mode: 'except' as const, names: hostile };
        const lines = settingsLines({ ...settings, markets }, language);
        const text = lines.join('\n');
        expect(lines).toHaveLength(settingsWords({ ...settings, markets }, ENGLISH).length);
        expect(textLength(text)).toBeLessThan(EMBED_LIMITS.description * 0.7);
        expect(lines.join('')).not.toMatch(/@everyone|<@[!\d]|<@&(?!3)|\n|undefined|NaN|\[object/);
        for (const usdc of [settings.minUsdc, settings.silentBelowUsdc]) {
          if (usdc > 0) expect(text).toContain(language.format.settingUsdc(usdc));
        }
        if (settings.cooldownSeconds > 0)
          expect(text).toContain(durationWords(settings.cooldownSeconds, language));
        if (settings.mention !== null) expect(text).toContain(`<@&${settings.mention.roleId}>`);
      }),
      randomRuns(80),
    );
  });

  it('reads back the kinds, times and parts to reset that it writes', () => {
    fc.assert(
      fc.property(settingsArbitrary(), fc.nat(90 * 86_400), ({ kinds }, seconds) => {
        expect(parseKinds(kindsWords(kinds, language))).toEqual(kinds);
        expect(parseDuration(durationWords(seconds, language))).toBe(seconds);
      }),
    );
    for (const kind of [...KINDS, ...EFFECTS]) {
      const { settings } = language.texts.watch;
      for (const name of [settings.kind[kind], settings.kinds[kind]]) {
        expect(parseKinds(name.toUpperCase()), name).toEqual([kind]);
        expect(parseKinds(name.normalize('NFD').replace(/[\u0300-\u0308]/g, '')), name).toEqual([
          kind,
        ]);
      }
    }
    for (const part of RESETTABLE) {
      const before = { label: 'Whale', settings: EDITED };
      const after = readOptions(given({ reset: resetName(part, language) }))(before);
      expect(after, part).toEqual(readOptions(given({ reset: resetName(part, ENGLISH) }))(before));
      expect(after, part).not.toEqual(before);
    }
  });

  it('suggests by its own names what every language takes, also when a suggestion is typed on', () => {
    const inOwn = KINDS.map((kind) => language.texts.watch.settings.kind[kind]);
    expect(suggestSetting('kinds', inOwn[1] ?? '', language)).toContainEqual({
      name: [inOwn[1], inOwn[0]].join(language.texts.watch.comma),
      value: 'sell, buy',
    });
    const typed = [
      '',
      'b',
      inOwn[0] ?? '',
      `${inOwn[0]}${language.texts.watch.comma}`,
      '10',
      'r',
      'a',
    ];
    for (const option of ['kinds', 'reset', 'cooldown']) {
      for (const { name, value } of typed.flatMap((text) =>
        suggestSetting(option, text, language),
      )) {
        expect(value).toMatch(/^[\w,: -]+$/);
        const chosen = readOptions(given({ [option]: value }))(UNEDITED);
        expect(readOptions(given({ [option]: name }))(UNEDITED), name).toEqual(chosen);
      }
    }
    for (const { name, value } of suggestDurations([], 30 * 86_400)('2', { language })) {
      expect(parseDuration(name)).toBe(parseDuration(value));
    }
  });
});

describe.each(OTHERS)('what options do not take, in %s', (_tag, language) => {
  it.each(REFUSED)('is said by the name of the option and what it accepts: %j', (values) => {
    const [option = ''] = Object.keys(values);
    const text = String(edited(values, UNEDITED, language));
    expect(text).toContain(`\`${language.texts.names.options[option as keyof Names['options']]}\``);
    expect(text).not.toBe(edited(values));
    expect(text).not.toMatch(UNREADABLE);
    expect(textLength(text)).toBeLessThanOrEqual(1_000);
  });

  it('is hinted at where settlement sweeps come through', () => {
    const band = settingsSchema.parse({ priceCents: { min: 5, max: 100 } });
    const [hint] = hintsOf(DEFAULT_SETTINGS, band, language);
    expect(hint).toContain(`\`${language.texts.names.options['max-price']}: 94\``);
  });
});

it.each(OTHERS)(
  'calls the views of a channel in its own words: %s',
  (_tag, { texts: { watch, commands } }) => {
    const { view, views } = commands.channel;
    const texts = [
      view,
      views.full,
      views.compact,
      watch.channel.full('#x'),
      watch.channel.compact('#x'),
    ];
    expect(texts.filter((text) => /\b(full|compact)\b/.test(text))).toEqual([]);
  },
);

const FAR = 4_000_000_000_000;
const bad = (say: (language: Language) => string) => ({
  ok: false,
  sinceMs: FAR,
  say,
  reason: say(ENGLISH),
});
/** A bot of which everything is wrong. */
const WRONG: Status = {
  version: '123.456.789',
  uptimeSeconds: 1e9,
  ready: {
    ready: false,
    checks: {
      gateway: bad(({ texts }) => texts.watch.status.gatewayDown),
      store: bad(({ texts }) => texts.watch.status.storeFailed),
      feed: bad(({ texts }) => texts.watch.status.feedAway(drawnTime(FAR, 'f'))),
      venue: bad(({ texts }) => texts.errors.venue.unauthorized),
      lastPoll: bad(({ texts }) => texts.watch.status.noPollPlanned(drawnTime(FAR, 'f'))),
    },
  },
  lateSeconds: 1e6,
  gatewayPingMs: 12_345,
  shards: Array.from({ length: 64 }, (_, id) => ({
    id: 1000 + id,
    isUp: id % 2 === 0,
    pingMs: 12_345,
    guilds: 2500,
  })),
  shardHere: 1000,
  budget: {
    ...UNKNOWN_BUDGET,
    limit: 1_000_001,
    remaining: null,
    allowance: 900_001,
    used: { poller: 800_001, person: 90_001, background: 8_001 },
    resetAtMs: FAR,
    blockedUntilMs: FAR,
  },
  polls: { succeeded: 700_001, failed: 60_001, windowMs: 300_000 },
  lastPollMs: FAR,
  here: {
    isPersonal: false,
    wallets: 50_001,
    unread: 60_002,
    waiting: { alerts: 40_001, oldestSeconds: 1e8 },
    laterChannels: ['100000000000000007'],
    blockedChannels: Array.from({ length: 30 }, (_, index) => `1000000000000000${100 + index}`),
    deadLetters: 30_001,
    delays: {
      ...{ count: 100, medianSeconds: 1e6, p95Seconds: 1e7, latestSeconds: 1e7 },
      withoutPosition: 97,
    },
    refused: 321,
    hasReceiver: true,
  },
  walletsInAll: 20_001,
  roundMinutes: 30,
};

describe('/watch status', () => {
  it.each(LANGUAGES)(
    'holds every figure within the limits when everything is wrong, in %s',
    (tag, language) => {
      const embed = statusEmbed(WRONG, FAR, language);
      const text = JSON.stringify(embed);
      expect(text).not.toMatch(/undefined|NaN|\[object/);
      assertEmbedLimits(embed);
      const ofBudget = [1_000_001, 900_001, 898_003, 800_001, 90_001, 8_001, 700_001, 60_001];
      const others = [
        50_001,
        60_002,
        40_001,
        30_001,
        20_001,
        '401',
        '321',
        '<#1000000000000000104>',
        '25',
      ];
      for (const figure of [...ofBudget, ...others]) expect(text).toContain(String(figure));
      expect(text).not.toContain('<#1000000000000000105>');
      const { title = '', description = '' } = summaryEmbed(WRONG, FAR, language);
      expect(title.startsWith('⚠️ ')).toBe(true);
      expect(textLength(description)).toBeLessThanOrEqual(EMBED_LIMITS.description);
      for (const figure of [40_001, 30_001]) expect(description).toContain(String(figure));
      const { signedAlerts } = language.texts.watch.status;
      for (const said of [text, description]) expect(said).toContain(signedAlerts);
      expect(description).not.toMatch(/✅|undefined|NaN/);
      if (tag !== 'en-US')
        expect(text + description).not.toMatch(
          /wallets? \w+ all|The exchange|says why|alerts? wait|Alerts come/,
        );
    },
  );

  it.each(LANGUAGES.filter(([tag]) => /^(ja|zh)/.test(tag)))(
    'sets no Latin stop, colon or bracket beside %s script',
    (_tag, language) => {
      const { description = '', fields = [] } = statusEmbed(WRONG, FAR, language);
      const whole = [description, ...fields.map(({ name, value }) => `${name}\n${value}`)];
      const { description: summary = '' } = summaryEmbed(WRONG, FAR, language);
      for (const text of [...whole, summary])
        expect.soft(text).not.toMatch(/[\p{sc=Han}\p{sc=Kana}\p{sc=Hira}）。] ?[.:(]| \(/u);
    },
  );
});

describe('/watch status of a venue', () => {
  const nowMs = 1_800_000_000_000;
  const fine = { ok: true, sinceMs: 0, say: null, reason: null };
  const delays = {
    ...{ count: 30, medianSeconds: 2, p95Seconds: 8, latestSeconds: 1 },
    withoutPosition: 3,
  };
  const budget = {
    ...UNKNOWN_BUDGET,
    limit: 60,
    remaining: 20,
    allowance: 54,
    used: { poller: 30, person: 10, background: 5 },
    resetAtMs: nowMs + 30_000,
  };
  const status: Status = {
    ...WRONG,
    ready: {
      ready: true,
      checks: { gateway: fine, store: fine, feed: fine, venue: fine, lastPoll: fine },
    },
    lateSeconds: null,
    gatewayPingMs: null,
    shards: [],
    budget,
    lastPollMs: nowMs - 3_000,
    here: {
      ...{ ...WRONG.here, unread: 0, waiting: { alerts: 0, oldestSeconds: 0 }, delays: null },
      ...{ laterChannels: [], blockedChannels: [], deadLetters: 0, refused: 0, hasReceiver: false },
    },
    roundMinutes: null,
  };
  const said = (change: Partial<Status>) => {
    const { title, description, fields } = statusEmbed({ ...status, ...change }, nowMs, ENGLISH);
    const limit = fields?.find(({ name }) => name === 'Rate limit')?.value.split('\n');
    return {
      title,
      venue: description?.split('\n').find((line) => line.includes('Exchange')),
      limit,
    };
  };

  it('tells a channel in two lines that all is well, and no more than is known of it', () => {
    const summary = (change: Partial<Status>) => {
      const { title, description } = summaryEmbed({ ...status, ...change }, nowMs, ENGLISH);
      return [title, ...(description?.split('\n') ?? [])];
    };
    const here = { ...status.here, delays };
    const alerts =
      'Alerts come 2 s after the trade (95% within 8 s, the latest 1 s). No alerts are waiting.';
    expect(summary({ here })).toEqual(['✅ I’m up and running', alerts]);
    expect(summary({ here, lastPollMs: nowMs - 23_000 })).toEqual([
      '⏳ The exchange isn’t answering',
      '⏳ Exchange: last answer <t:1799999977:R>',
      'No alerts are waiting.',
    ]);
    expect(summary({ here: { ...here, blockedChannels: ['7'] } }).slice(0, 2)).toEqual([
      '⚠️ Something is wrong',
      '⚠️ I can’t write in <#7>. `/watch list` says why.',
    ]);
    expect(summary({ here, roundMinutes: 5 }).at(-1)).toBe(
      `${alerts} Checking every wallet once takes at least 5 minutes.`,
    );
    const slow = { ...delays, medianSeconds: 177, p95Seconds: 3_629 };
    expect(summary({ here: { ...here, delays: slow } }).at(-1)).toContain(
      'Alerts come 3 min after the trade (95% within 1 h, the latest 1 s).',
    );
    expect(summary({}).at(-1)).toBe('Alerts here: None since I started. No alerts are waiting.');
  });

  it('says one thing of any state: headline and lines, in short and with all figures', () => {
    const bad = (say: LocalizedText): Check => ({ ok: false, sinceMs: nowMs, say, reason: '' });
    const remark = (say: LocalizedText): Check => ({ ok: true, sinceMs: nowMs, say, reason: '' });
    const words = ({ texts }: Language) => texts.watch.status;
    const check = (say: LocalizedText) => fc.constantFrom(fine, fine, fine, bad(say));
    const venue = fc.constantFrom(
      fine,
      fine,
      bad(({ texts }) => texts.errors.venue.unauthorized),
      remark((language) => words(language).notInPlan.activity),
      remark((language) => words(language).nothingAsked),
    );
    const states = fc.record({
      checks: fc.record({
        gateway: check((language) => words(language).gatewayDown),
        store: check((language) => words(language).storeFailed),
        feed: check((language) => words(language).feedAway('now')),
        venue,
        lastPoll: check((language) => words(language).noPoll),
      }),
      blockedUntilMs: fc.constantFrom(null, null, nowMs + 5_000),
      lastPollMs: fc.constantFrom(null, nowMs - 3_000, nowMs - 60_000),
      lateSeconds: fc.constantFrom(null, null, 300),
      walletsInAll: fc.constantFrom(0, 1),
      roundMinutes: fc.constantFrom(null, 5),
      here: fc.record({
        blockedChannels: fc.constantFrom<string[]>([], [], ['7']),
        deadLetters: fc.constantFrom(0, 0, 2),
        refused: fc.constantFrom(0, 0, 50),
        delays: fc.constantFrom(null, delays),
      }),
    });
    const marksIn = (text: string) => ['⚠️', '⏳'].filter((mark) => text.includes(mark));
    fc.assert(
      fc.property(states, ({ checks, blockedUntilMs, here, ...drawn }) => {
        const state: Status = {
          ...{ ...status, ...drawn, here: { ...status.here, ...here } },
          budget: { ...budget, blockedUntilMs },
          ready: { ready: Object.values(checks).every(({ ok }) => ok), checks },
        };
        const short = summaryEmbed(state, nowMs, ENGLISH);
        const whole = statusEmbed(state, nowMs, ENGLISH);
        const { title = '', description = '' } = short;
        expect([whole.title, whole.color]).toEqual([title, short.color]);
        const all = [whole.description, ...(whole.fields ?? []).map(({ value }) => value)].join(
          '\n',
        );
        const [worst = '✅'] = marksIn(all);
        expect(title.slice(0, worst.length), all).toBe(worst);
        expect(marksIn(description), description).toEqual(marksIn(all));
        const said = {
          slowed: 'The exchange is slowing me down',
          silent: 'The exchange isn’t answering',
          late: 'The exchange lists trades late',
        };
        for (const text of [description, all]) {
          if (title.includes(said.slowed))
            expect(text).toMatch(/^⏳ Exchange: .*Asked me to wait/m);
          if (title.includes(said.silent)) expect(text).toMatch(/^⏳ Exchange: last answer/m);
          if (title.includes(said.late))
            expect(text).toMatch(/^⏳ Exchange: lists trades 5 min late$/m);
          if (title.startsWith('✅')) expect(text).not.toMatch(/Asked me to wait/);
        }
        // Neither can be while the exchange does not answer.
        const isHeld = /(⚠️|⏳) (Exchange|Polling)/u.test(description);
        const isFast = /Alerts come|Checking every wallet/.test(description);
        if (isHeld) expect(isFast, description).toBe(false);
        else expect(isFast).toBe(here.delays !== null || drawn.roundMinutes !== null);
      }),
      randomRuns(2_000),
    );
  });

  it('says when it answered last, and no more that all is well where that is a while ago', () => {
    expect(said({})).toEqual({
      title: '✅ I’m up and running',
      venue: '✅ Exchange: last answer <t:1799999997:R>',
      limit: [
        '20 of 60 requests left, resets <t:1800000030:R>',
        '-# 45 of my 54 used in this window: 30 for polling, 10 for commands, 5 for older trades',
      ],
    });
    expect(said({ lastPollMs: nowMs - 23_000 }).venue).toBe(
      '⏳ Exchange: last answer <t:1799999977:R>',
    );
    expect(said({ lastPollMs: nowMs - 23_000, walletsInAll: 0 }).venue).toBe('✅ Exchange');
  });

  it('says that it has asked the bot to wait, and nothing impossible of a limit that has become less', () => {
    const limited = {
      limit: 1,
      allowance: 1,
      remaining: null,
      used: { poller: 414, person: 4, background: 0 },
    };
    expect(said({ budget: { ...budget, ...limited, blockedUntilMs: nowMs + 46_000 } })).toEqual({
      title: '⏳ The exchange is slowing me down',
      venue: '⏳ Exchange: Asked me to wait (429). The wait ends <t:1800000046:R>.',
      limit: [
        '1 request allowed per window',
        '-# 418 used in this window: 414 for polling, 4 for commands, 0 for older trades',
      ],
    });
  });
});

describe('why Discord does not take messages', () => {
  const codes = [
    50001, 50013, 50006, 160002, 40058, 50008, 50024, 160005, 50083, 50007, 50278, 10003, 10004,
    50035, 20022,
  ];
  const reasons = codes.map((code) => {
    const failure = classifyFailure({ code, status: 403, message: 'Some (123) `message`' });
    return { code, reason: 'reason' in failure ? failure.reason : '' };
  });

  it.each(reasons)('is kept in English and said in any language: $code', ({ code, reason }) => {
    expect(sayFailure(reason)(ENGLISH)).toBe(reason);
    for (const [tag, language] of OTHERS) {
      const said = sayFailure(reason)(language);
      expect(said, tag).not.toBe(reason);
      expect(said, tag).toContain(String(code));
      if (reason.includes('Some')) expect(said, tag).toContain('Some (123) `message`');
    }
  });

  it('is said as it stands where nothing is known of it', () => {
    for (const reason of ['Something else (50001)', 'fetch failed', '']) {
      expect(sayFailure(reason)(languageFor('de'))).toBe(reason);
    }
  });
});

it('how long a round takes is told in steps, rounded down, from two minutes on', () => {
  const steps = [119, 120, 299, 300, 599, 600, 1_799, 1_800, 9_000].map((endpoints) =>
    roundStep(endpoints, { allowance: 60, windowMs: 60_000 }),
  );
  expect(steps).toEqual([null, 2, 2, 5, 5, 10, 10, 30, 30]);
  expect(roundStep(9_000, { allowance: null, windowMs: 60_000 })).toBeNull();
});
