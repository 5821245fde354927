import type { Page } from 'playwright-core';
import * as z from 'zod';
import { createChartRenderer } from '../../../src/charts/render.ts';
import { AUDIBLE } from '../../../src/delivery/plan/mentions.ts';
import type { MessageBody } from '../../../src/delivery/sender.ts';
import { LANGUAGE_TAGS, type LanguageTag, languageFor } from '../../../src/language/language.ts';
import { openStage, SIZES, type Stage, settled } from '../../demo-page/stage.ts';
import { DEFAULTS } from '../defaults.ts';
import { print, quantiles } from '../figures.ts';
import { readOptions } from '../usage.ts';
import { cardOf } from './card.ts';
import { digestOf } from './digest.ts';
import { activityOf, addedOf, detailsOf } from './looked-up.ts';
import { AT_SECONDS, KINDS, marketOf, messageOf, titles } from './messages.ts';
import { scoresOf } from './scores.ts';

const SEED = 'heights';
/** Time between messages of one author that makes each show its author. */
const APART_MS = 8 * 60_000;
/** Height of a line of text in a message, in pixels. */
const LINE_PX = 22;
/** Number of titles per digest; few digests because their pictures take long to draw. */
const TITLES_PER_DIGEST = 9;
/** Number of open positions on a card. */
const CARD_TITLES = 5;
/**
 * Number of answers of `/watch scores`. They name no market, so a few suffice to cover different
 * figures.
 */
const SCORES = 7;
const DIGESTS = { digest: 3, 'digest-of-eight': 8 } as const;
const KIND_NAMES = [
  ...Object.keys(KINDS),
  ...Object.keys(DIGESTS),
  ...['card', 'scores', 'details', 'activity-of-ten', 'watch-add'],
];
/** Number of markets on a page of ten rows. */
const ACTIVITY_TITLES = 7;

const measuredSchema = z.array(z.object({ heightPx: z.number(), contentPx: z.number() }));
type Measured = z.output<typeof measuredSchema>;

/**
 * Measures the messages on the page: from the author's name to the last button, without the space
 * above.
 */
const MEASURE = `[...document.querySelectorAll('.message')].map((message) => {
  const content = message.querySelector('.content');
  return {
    heightPx: message.getBoundingClientRect().height,
    contentPx: content === null ? 0 : content.getBoundingClientRect().height,
  };
})`;

/**
 * Measures the height of whole messages on the sandbox's page by kind, in every language: median
 * and 95th percentile over titles, and the number of lines of their text (above embeds). The bot's
 * own functions create and send the messages.
 */
export async function run(args: string[]): Promise<void> {
  const { titles: count } = readOptions(args, DEFAULTS.heights);
  const stage = await openStage({ startMs: AT_SECONDS * 1000 });
  try {
    const places = new Map<string, { readonly kind: string; readonly tag: LanguageTag }>();
    const watched = stage.channel('whales');
    for (const tag of LANGUAGE_TAGS)
      await post(stage, tag, { count, watched }, (name, kind) => places.set(name, { kind, tag }));
    for (const size of ['phone', 'desktop'] as const) {
      const page = await stage.open(size, 'dark');
      const found = new Map(KIND_NAMES.map((kind) => [kind, new Map<LanguageTag, Measured>()]));
      for (const tag of LANGUAGE_TAGS) {
        // Times are in the language of the reader's Discord.
        stage.discord.setLocale(stage.person.userId, tag);
        await page.reload();
        for (const [name, place] of places) {
          if (place.tag === tag) found.get(place.kind)?.set(tag, await measure(page, name));
        }
      }
      for (const [kind, byLanguage] of found) {
        print({ kind, widthPx: SIZES[size].width, ...summary(byLanguage) });
      }
    }
  } finally {
    await stage.close();
  }
}

/** Fills one channel per kind. */
async function post(
  stage: Stage,
  tag: LanguageTag,
  { count, watched }: { readonly count: number; readonly watched: string },
  note: (name: string, kind: string) => void,
) {
  const language = languageFor(tag);
  const charts = createChartRenderer();
  const all = titles(count, SEED);
  const inGroups = (size: number) =>
    Array.from({ length: Math.ceil(count / size) }, (_, group) =>
      [...all.slice(group * size), ...all].slice(0, size),
    );
  const send = async (kind: string, bodies: readonly MessageBody[]) => {
    const name = `${kind}-${tag.toLowerCase()}`;
    note(name, kind);
    const channelId = stage.channel(name);
    for (const [place, body] of bodies.entries()) {
      await stage.send(channelId, {
        body,
        noise: AUDIBLE,
        nonce: `${channelId.slice(-8)} ${place}`,
      });
      stage.forward(APART_MS);
    }
  };
  for (const [kind, rule] of Object.entries(KINDS)) {
    const bodies = all.map((title, place) => {
      const others = [...all.slice(place + 1), ...all.slice(0, place)];
      return messageOf(
        rule,
        marketOf(title, others, { seed: `${SEED} ${kind} ${place}` }),
        language,
      );
    });
    await send(kind, bodies);
  }
  await send(
    'card',
    inGroups(CARD_TITLES).map((named) => ({ embeds: [cardOf(named, language)] })),
  );
  await send(
    'details',
    all.map((title, place) =>
      detailsOf(marketOf(title, all, { seed: `${SEED} details ${place}` }), language),
    ),
  );
  await send(
    'watch-add',
    all.map((title, place) => {
      const market = marketOf(title, all, { seed: `${SEED} added ${place}` });
      return addedOf(market, `<#${watched}>`, language);
    }),
  );
  const lists = inGroups(ACTIVITY_TITLES).map((named, place) =>
    activityOf(named, language, { seed: `${SEED} activity ${place}`, charts }),
  );
  await send('activity-of-ten', await Promise.all(lists));
  for (const [kind, wallets] of Object.entries(DIGESTS)) {
    const digests = inGroups(TITLES_PER_DIGEST).map((named, group) =>
      digestOf(named, language, { seed: `${SEED} ${group * TITLES_PER_DIGEST}`, charts, wallets }),
    );
    await send(kind, await Promise.all(digests));
  }
  const scores = Array.from({ length: SCORES }, (_, place) =>
    scoresOf(`<#${watched}>`, language, { seed: `${SEED} scores ${place}`, charts }),
  );
  await send('scores', await Promise.all(scores));
}

async function measure(page: Page, channel: string): Promise<Measured> {
  await page.getByRole('navigation').getByRole('button', { name: channel }).click();
  await page.getByRole('heading', { level: 1, name: channel }).waitFor();
  await settled(page);
  return measuredSchema.parse(await page.evaluate(MEASURE));
}

function summary(byLanguage: ReadonlyMap<LanguageTag, Measured>) {
  const heightsOf = (measured: Measured) =>
    quantiles(measured.map(({ heightPx }) => Math.round(heightPx)));
  const all = [...byLanguage.values()].flat();
  const lines = all.map(({ contentPx }) => Math.round(contentPx / LINE_PX));
  const [worst] = [...byLanguage]
    .map(([language, measured]) => ({ language, p95Px: heightsOf(measured)(0.95) }))
    .toSorted((a, b) => b.p95Px - a.p95Px);
  const [height, line] = [heightsOf(all), quantiles(lines)];
  const contentLines = { median: line(0.5), p95: line(0.95) };
  return { messages: all.length, medianPx: height(0.5), p95Px: height(0.95), worst, contentLines };
}
