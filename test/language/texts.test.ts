import { describe, expect, it } from 'vitest';
import { applyOptions } from '../../commands/watch/edit.ts';
import {
  ENGLISH,
  LANGUAGE_TAGS,
  type LanguageTag,
  languageFor,
  languagesNaming,
} from '../../src/language/language.ts';
import { readTime } from '../../src/lookups/filters.ts';
import { parseKinds } from '../../src/watches/settings/kinds.ts';
import { isNothing } from '../../src/watches/settings/typed.ts';
import { DEFAULT_SETTINGS, parseMarkets } from '../../src/watches/watch-settings.ts';
import { given } from '../commands/watch/settings-samples.ts';
import { widthOf } from '../support/text-width.ts';

type Texts = { readonly [key: string]: Texts | string | ((...parts: unknown[]) => string) };

const AREAS = [
  ...([
    'alerts',
    'answers',
    'card',
    'commands',
    'details',
    'digest',
    'errors',
    'files',
    'lists',
    'names',
  ] as const),
  ...(['news', 'notices', 'personal', 'record', 'scores', 'watch'] as const),
];
/** Areas whose shortest texts, too, are others than in English, but for those that are alike. */
const ALL_OTHER = /^\.(card|errors|files|lists|notices)\./;
/** Short words that traders share, and bare arrangements of what they are given. */
const ALIKE = new RegExp(
  [
    'lists\\.(gap|reach\\.sentence|filters\\.transaction|totals\\.(during|net|netNone|windows\\.day)|market\\.wallets)',
    'card\\.(names\\.volume|volumeIn|taker)|files\\.places\\.before',
  ]
    .map((paths) => `^\\.(${paths})$`)
    .join('|'),
);
/** Bold print, and what is quoted as it is typed. */
const marksIn = (text = '') => (text.match(/\*\*|`(?:0x|2h|\d)[^`]*`/g) ?? []).toSorted();
/**
 * Where a word has another meaning in English, or the sentence needs none: to share a server, the
 * role of a taker.
 */
const TERMS_ELSEWHERE =
  /^\.(commands\.digest\.(channel|everies)|commands\.settings\.liquidity|personal\.refused)/;
const PARTS = ['‹1›', '‹2›', '‹3›', '‹4›', '‹5›', '‹6›'];
/** Texts that take something else than figures, names and times, and what they are given here. */
const OTHER_PARTS: readonly (readonly [RegExp, readonly unknown[]])[] = [
  [/\.lists\.totals\.notKnownFor$|\.files\.accepted\.oneOf$/, [[PARTS[0]]]],
  [/\.digest\.quiet$/, [[PARTS[0]]]],
  [/\.digest\.quietAndMore$/, [[PARTS[0]], PARTS[1]]],
  [/\.watch\.pause\.state$/, [{ at: PARTS[0], in: PARTS[1] }]],
  [/\.watch\.pause\.already$/, [PARTS[0], { at: PARTS[1], in: PARTS[2] }]],
  [/\.watch\.pause\.only$/, [PARTS[0], { at: PARTS[1], in: PARTS[2] }]],
  [/\.watch\.pause\.(one|all)$/, [PARTS[0], PARTS[1], { at: PARTS[2], in: PARTS[3] }]],
];
/** What stands between two texts, or between a figure and the next. */
const JOINTS = /\.(gap|comma|time\.\w+)$/;
/** What English says of its own reader, and the others in words of theirs. */
const ENGLISH_ONLY = '.files.faults.noCsv';

/** Texts of one language by their path, with something put in for each parameter. */
function rendered(texts: Texts, parts: readonly unknown[], path: string): [string, string][] {
  return Object.entries(texts).flatMap(([key, text]): [string, string][] => {
    const here = `${path}.${key}`;
    if (typeof text === 'string') return [[here, text]];
    if (typeof text === 'object') return rendered(text, parts, here);
    const [, given = parts] = OTHER_PARTS.find(([pattern]) => pattern.test(here)) ?? [];
    return [[here, text(...given)]];
  });
}

function textsOf(tag: LanguageTag, languages = languageFor): ReadonlyMap<string, string> {
  const { texts } = languages(tag);
  return new Map(
    AREAS.flatMap((area) => rendered(texts[area] as unknown as Texts, PARTS, `.${area}`)),
  );
}

const WRONG_IN_SPANISH = [
  /vigil|seguimientos?\b/i,
  /\b(usted|suena)\b/i,
  /almacén/i,
  /cifras hexadecimales/,
  /(hasta|desde) las? ‹/,
  /\d%|\d %/,
  /\bpuesto\b|\boperado|administrador del bot|ilegible|\bcoste\b/i,
];
const WRONG_IN_CHINESE = [
  /监视|迟到|链上(?!交易)|双方/,
  /您/,
  / %/,
  /净流量|未作任何|那里|每股|十六进制数|反方/,
];

/**
 * By language: what must not stand in a text. Words of another register or another meaning than
 * people expect (a wallet is followed, not kept under surveillance; alerts are posted, they do not
 * ring; Discord's "sourdine" is to deafen), and marks that the language writes otherwise.
 */
const WRONG: Readonly<Record<LanguageTag, readonly RegExp[]>> = {
  'en-US': [
    /\b(rings?|rang|ringing|told|tells?)\b/i,
    / %/,
    /Mention Everyone/,
    /look-up|Accepted|Gap notice|settlement sweep|\b(do|does|did|is|are|could|can) ?not\b/,
  ],
  de: [
    /Beobachtung(en)?\b/,
    /\b(meldet|melden) sich\b|sich melde/i,
    /Knopf|\bRechte?\b|ohne Platz/,
    /\b(Ihnen|Ihre?[mnrs]?)\b|\p{L}en Sie\b/u,
    /\d%/,
  ],
  'es-ES': WRONG_IN_SPANISH,
  'es-419': [...WRONG_IN_SPANISH, /Gestionar/],
  fr: [
    /\bsuivis? privé|oublier/,
    /(^|[^\u00a0]) [:;?!»%](\W|$)/,
    /« /,
    /\b(vous|votre|vos)\b|\p{L}(?<!ch|R|n)ez-(moi|le|la|les)\b/iu,
    /sourdine|\bsonne|là-bas/i,
  ],
  'pt-BR': [
    /vigi(a|l|â)|acompanhamentos?\b/i,
    /\b(dê|convide)-me\b|\blhes?\b/i,
    /negociaç/i,
    /orçamento/i,
    / %/,
    /visão|administrador do bot|ilegíve/i,
  ],
  ja: [
    /あなた/,
    /アウトカム|総取り|標本|監視|いただ/,
    /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}）]: /u,
    /[\d›] [件個回日時分秒行桁倍株つ]/,
    / %/,
  ],
  'zh-CN': WRONG_IN_CHINESE,
  'zh-TW': [...WRONG_IN_CHINESE, /查看频道|嵌入链接|管理服务器|管理子区/],
};

/** Words that no other of the languages has. */
const ENGLISH_WORDS =
  /\b(the|of|and|with|from|this|been|have|your|you|which|seen|bought|sold|paid|watched|yet|buys|sells|watching|posted|nothing|unknown|until|every|shares)\b/i;

/** Labels of buttons, with what stands in them. */
const BUTTONS = [
  /^\.details\.buttons\./,
  /^\.lists\.buttons\./,
  /^\.files\.import\.(apply|cancel)$/,
  /^\.watch\.(undo\.button|mute\.unmute|pause\.resume|flood\.(minUsdc|cooldown))$/,
  /^\.personal\.forget\.(yes|no)$/,
];
/** What a button of a phone shows in a line, in letters of a Latin script. */
const BUTTON_WIDTH = 42;

/**
 * Terms of Discord and of trading in English, and what each language calls them wherever English
 * says the word.
 */
const TERM_LANGUAGES = ['de', 'es', 'fr', 'pt', 'ja', 'zh'];
const TERMS: readonly (readonly [english: RegExp, ...others: readonly RegExp[]])[] = [
  [/digest/i, /Übersicht/i, /res[uú]m/i, /résumé/i, /resum/i, /ダイジェスト/, /摘要/],
  [/\bserver/i, /Server/, /servidor/i, /serveur/i, /servidor/i, /サーバー/, /服务器|伺服器/],
  [/\bthread/i, /Thread/i, /hilo/i, /\bfils?\b/i, /tópico/i, /スレッド/, /子区|討論串/],
  [/\broles?\b/i, /Rolle/i, /\brol(es)?\b/i, /rôle/i, /cargo/i, /ロール/, /身份组|身分組/],
  [
    /\bdeposit/i,
    /Einzahl|eingezahlt|Ein- (und|oder) Auszahl/i,
    /dep[oó]sit/i,
    /dép[oô]t|dépos/i,
    /dep[oó]sit/i,
    /入出?金/,
    /充值|净存入/,
  ],
  [
    /withdr[ae]w/i,
    /Auszahl|ausgezahlt|abgehoben|hebt|hob/i,
    /retir/i,
    /retrait|retir/i,
    /saque|sac/i,
    /出金/,
    /提现/,
  ],
  [/redemption|redeem/i, /Einlös|eingelöst|löst/i, /canj/i, /encaiss/i, /resgat/i, /償還/, /赎回/],
  [/\bshares?\b/i, /Anteil/i, /accion|acción/i, /\bparts?\b/i, /ações|ação/i, /シェア/, /份/],
  [/consensus/i, /Konsens/i, /consenso/i, /consensus/i, /consenso/i, /コンセンサス/, /共识/],
  [
    /average/i,
    /Ø|Durchschnitt|Schnitt|durchschnittlich/i,
    /medio|media/i,
    /moyen/i,
    /médi/i,
    /平均/,
    /均/,
  ],
];

describe.each(LANGUAGE_TAGS)('the texts in %s', (tag) => {
  const texts = textsOf(tag);

  it('say all that the English texts say, and nothing of the code', () => {
    const english = textsOf(ENGLISH.tag);
    expect(Object.keys(languageFor(tag).texts).toSorted()).toEqual(
      [...AREAS, 'format', 'slash'].toSorted(),
    );
    expect([...texts.keys()]).toEqual([...english.keys()]);
    for (const [path, text] of texts) {
      expect.soft(text, path).not.toMatch(/undefined|NaN|\[object/);
      const said = PARTS.filter((part) => english.get(path)?.includes(part));
      if (path !== ENGLISH_ONLY) for (const part of said) expect.soft(text, path).toContain(part);
      expect.soft(marksIn(text), path).toEqual(marksIn(english.get(path)));
    }
  });

  it('have no word and no mark that readers of the language stumble over', () => {
    for (const [path, text] of texts) {
      const prose = text.replaceAll(/`[^`]*`/g, 'code');
      for (const wrong of WRONG[tag]) expect.soft(prose, path).not.toMatch(wrong);
      expect.soft(text, path).not.toMatch(/\s{2}/);
      if (!JOINTS.test(path)) expect.soft(text, path).toBe(text.trim());
      expect.soft(text, path).not.toMatch(/\w'\w/);
    }
  });

  if (tag !== ENGLISH.tag)
    it('have nothing left of the English texts', () => {
      const english = textsOf(ENGLISH.tag);
      for (const [path, text] of texts) {
        const prose = text.replaceAll(/`[^`]*`/g, 'code');
        if (!path.startsWith('.names.')) expect.soft(prose, path).not.toMatch(ENGLISH_WORDS);
        const words = prose.match(/\p{Ll}{3,}/gu) ?? [];
        const isOther = ALL_OTHER.test(path)
          ? !ALIKE.test(path)
          : words.length > 2 && !path.startsWith('.names.');
        if (isOther) expect.soft(text, path).not.toBe(english.get(path));
      }
    });

  it('use the terms of Discord and of trading that readers know', () => {
    const english = textsOf(ENGLISH.tag);
    for (const [term, ...words] of TERMS) {
      const own = words[TERM_LANGUAGES.indexOf(tag.slice(0, 2))];
      if (own === undefined) continue;
      for (const [path, text] of texts) {
        const isSaid = term.test((english.get(path) ?? '').replaceAll(/`[^`]*`|"[^"]*"/g, 'code'));
        if (isSaid && !path.startsWith('.names.') && !TERMS_ELSEWHERE.test(path))
          expect.soft(text, path).toMatch(own);
      }
    }
  });

  it('have labels of buttons that fit a phone', () => {
    const labels = [...texts].filter(([path]) => BUTTONS.some((button) => button.test(path)));
    expect(labels.length).toBeGreaterThan(15);
    for (const [path, label] of labels)
      expect.soft(widthOf(label), label + path).toBeLessThanOrEqual(BUTTON_WIDTH);
  });

  it('are not much longer than in English, so that they have room where those have', () => {
    const english = textsOf(ENGLISH.tag);
    for (const [path, text] of texts) {
      if (path === ENGLISH_ONLY) continue;
      const length = english.get(path)?.length ?? 0;
      expect
        .soft(text.length, `${path}: ${text}`)
        .toBeLessThanOrEqual(Math.ceil(1.8 * length) + 16);
    }
  });

  it('name the venue where the English ones say the exchange, and as the operator calls it', () => {
    const english = [...textsOf(ENGLISH.tag)]
      .filter(([, text]) => /exchange/i.test(text))
      .map(([path]) => path);
    const named = [...textsOf(tag, languagesNaming('Zed'))].filter(([, text]) =>
      text.includes('Zed'),
    );
    expect(named.map(([path]) => path)).toEqual(english);
    for (const [path, text] of named) {
      expect.soft(text, path).not.toMatch(/\b(the|die|der|la|le) Zed/i);
      expect.soft(text, path).not.toMatch(/\s{2}/);
      expect.soft(text, path).toBe(text.trim());
    }
    for (const [path, text] of texts)
      expect.soft(text, path).not.toMatch(/\bvenue\b|Handelsplatz/i);
  });

  it('end with a stop where they are sentences', () => {
    const { errors, watch } = languageFor(tag).texts;
    const sentences = [
      ...rendered(errors.venue as unknown as Texts, PARTS, ''),
      ...rendered(errors.quota as unknown as Texts, PARTS, ''),
      ...rendered(errors.channel as unknown as Texts, PARTS, ''),
      ...rendered(watch.resume as unknown as Texts, PARTS, ''),
    ];
    for (const [path, text] of sentences) expect.soft(text, path).toMatch(/[.。]$/);
  });
});

describe('a refusal', () => {
  it.each(LANGUAGE_TAGS)('says that nothing has changed, in %s', (tag) => {
    const { settings, channel } = languageFor(tag).texts.watch;
    const [, nothingChanged = ''] =
      /[.。]\s?([^.。]+[.。])$/.exec(settings.notAccepted('a', '`b`', 'c')) ?? [];
    expect(nothingChanged).not.toBe('');
    const refusals = [
      settings.bandWrong('1', '2'),
      settings.notEveryone,
      settings.needsRole('a'),
      channel.walletsWrong(1, 2, 50),
      languageFor(tag).texts.errors.quota.watches(200, 200, 1),
    ];
    for (const refusal of refusals) {
      expect(refusal).toContain(nothingChanged);
      expect(refusal).not.toMatch(/\s{2}/);
    }
  });
});

describe.each(LANGUAGE_TAGS)('what help in %s offers between quotes', (tag) => {
  const { commands, names } = languageFor(tag).texts;
  const { settings, channel, activity } = commands;

  it('is accepted as it stands there', () => {
    const quoted = (text: string) =>
      [...text.matchAll(/"([^"]+)"/g)].map(([, words = '']) => words);
    const { none, all, any, only, except } = names.typed;
    expect(quoted(settings.kinds)).toEqual([expect.anything(), expect.anything(), all]);
    expect(parseKinds(quoted(settings.kinds)[0] ?? '')).toEqual(['buy', 'sell']);
    expect(parseKinds(quoted(settings.kinds)[1] ?? '')).toEqual(['opens', 'closes']);
    const reset = applyOptions(
      { label: 'a', settings: DEFAULT_SETTINGS },
      given({ reset: quoted(settings.reset)[0] ?? '' }),
    );
    expect(reset.label).toBe('a');
    for (const nothing of [
      none,
      all,
      any,
      ...quoted(settings.cooldown),
      ...quoted(settings.mentionCooldown),
    ]) {
      expect.soft(isNothing(nothing), nothing).toBe(true);
    }
    for (const [word, mode] of [
      [only, 'only'],
      [except, 'except'],
    ] as const) {
      expect(parseMarkets(`${word}: 501, rain-in-paris`)).toEqual({
        mode,
        names: ['501', 'rain-in-paris'],
      });
    }
    for (const text of [settings.markets, settings.words, channel.words])
      expect(text).toContain(`"${except}`);
    expect(
      applyOptions({ label: 'a', settings: DEFAULT_SETTINGS }, given({ label: none })).label,
    ).toBeNull();
  });

  it('is read as a time', () => {
    const examples = activity.from.split(/[:：,、（(]\s?/).slice(1, 4);
    expect(examples).toHaveLength(3);
    const noon = 1_800_014_400;
    const read = examples.map((text) => readTime(text.trim(), 'from', noon));
    const midnight = noon - (noon % 86_400);
    expect(read).toEqual([noon - 7_200, noon - 3 * 86_400, midnight - 86_400]);
    const at = readTime(`${names.typed.today} 09:30`, 'from', noon);
    expect(at).toBe(midnight + 9 * 3_600 + 1_800);
  });
});

describe('a locale that reads the texts of another', () => {
  it('calls permissions as its own client does', () => {
    const [spain, latinAmerica] = (['es-ES', 'es-419'] as const).map((tag) => textsOf(tag));
    const changed = [...(spain ?? [])].filter(([path, text]) => latinAmerica?.get(path) !== text);
    for (const [path, text] of changed) {
      if (!path.endsWith('.languageName'))
        expect
          .soft(latinAmerica?.get(path), path)
          .toBe(text.replaceAll('Gestionar', 'Administrar'));
    }
    expect(changed.map(([path]) => path)).toContain('.watch.mute.managersOnly');
    const { watch, errors } = languageFor('zh-TW').texts;
    expect(watch.status.delivery.noWriting).toMatch(/“傳送訊息”.*“嵌入連結”/);
    expect(errors.channel.locked('#a')).toContain('“管理討論串”');
  });

  it('names commands and words to type as its keyboard writes them', () => {
    const { names } = languageFor('zh-TW').texts;
    expect(names).toEqual(ENGLISH.texts.names);
    for (const [path, text] of textsOf('zh-TW')) {
      const typed = [...text.matchAll(/`([^`]+)`|"([^"]+)"/g)].map(
        ([, code, quoted]) => code ?? quoted,
      );
      for (const word of typed) expect.soft(word, path).not.toMatch(/[关买卖价时区频类编]/);
    }
  });
});
