import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { createChartRenderer } from '../../../src/charts/render.ts';
import { HEARD } from '../../../src/delivery/plan/mentions.ts';
import { LANGUAGE_TAGS, type LanguageTag, languageFor } from '../../../src/language/language.ts';
import { openStage, SIZES, type Stage, settled } from '../../sandbox-page/stage.ts';
import { UsageError } from '../usage.ts';
import { cardOf } from './card.ts';
import { digestOf } from './digest.ts';
import { AT_SECONDS, KINDS, marketOf, messageOf, titles } from './messages.ts';

const SEED = 'heights';
/** Messages of one author further apart than this each show who writes. */
const APART_MS = 8 * 60_000;
/** Pixels of a line of a message's text. */
const LINE_PX = 22;
/** The page shows no more messages of a channel. */
const MOST_TITLES = 100;
/** A digest holds nine titles, and its picture takes long to draw. */
const TITLES_PER_DIGEST = 9;
/** Open positions that a card shows. */
const CARD_TITLES = 5;
const KIND_NAMES = [...Object.keys(KINDS), 'digest', 'card'];

const measuredSchema = z.array(z.object({ heightPx: z.number(), contentPx: z.number() }));
type Measured = z.output<typeof measuredSchema>;

/** What the page says of the messages that it shows: from the author's name to the last button, without the space above. */
const MEASURE = `[...document.querySelectorAll('.message')].map((message) => {
  const content = message.querySelector('.content');
  return {
    heightPx: message.getBoundingClientRect().height,
    contentPx: content === null ? 0 : content.getBoundingClientRect().height,
  };
})`;

/**
 * How high whole messages are on the sandbox's page, by kind, in every language: median and 95th percentile over titles, and
 * how many lines their text (above all embeds) takes. Messages are made and sent by the bot's own functions.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { titles: { type: 'string', default: '60' } } });
  const count = Number(values.titles);
  if (count > MOST_TITLES)
    throw new UsageError(`Expected --titles to be at most ${MOST_TITLES}, got "${values.titles}"`);
  const stage = await openStage({ startMs: AT_SECONDS * 1000 });
  try {
    const places = new Map<string, { readonly kind: string; readonly tag: LanguageTag }>();
    for (const tag of LANGUAGE_TAGS) await post(stage, tag, count, (name, kind) => places.set(name, { kind, tag }));
    for (const size of ['phone', 'desktop'] as const) {
      const page = await stage.open(size, 'dark');
      const found = new Map(KIND_NAMES.map((kind) => [kind, new Map<LanguageTag, Measured>()]));
      for (const tag of LANGUAGE_TAGS) {
        // Times are in the words of the reader's Discord.
        stage.discord.setLocale(stage.person.userId, tag);
        await page.reload();
        for (const [name, place] of places) {
          if (place.tag === tag) found.get(place.kind)?.set(tag, await measure(page, name));
        }
      }
      for (const [kind, byLanguage] of found) {
        console.log(JSON.stringify({ kind, widthPx: SIZES[size].width, ...summary(byLanguage) }));
      }
    }
  } finally {
    await stage.close();
  }
}

/** Fills a channel for each kind. */
async function post(stage: Stage, tag: LanguageTag, count: number, note: (name: string, kind: string) => void) {
  const language = languageFor(tag);
  const charts = createChartRenderer();
  const all = titles(count, SEED);
  const othersOf = (place: number) => [...all.slice(place + 1), ...all.slice(0, place)];
  const channelFor = (kind: string) => {
    const name = `${kind}-${tag.toLowerCase()}`;
    note(name, kind);
    return stage.channel(name);
  };
  for (const [kind, rule] of Object.entries(KINDS)) {
    const channelId = channelFor(kind);
    for (const [place, title] of all.entries()) {
      const body = messageOf(rule, marketOf(title, othersOf(place), { seed: `${SEED} ${kind} ${place}` }), language);
      const noise = { roleIds: [], isSilent: false };
      await stage.send(channelId, { body, noise, nonce: `${channelId.slice(-8)} ${place}` });
      stage.forward(APART_MS);
    }
  }
  const noise = { roleIds: [], isSilent: false };
  const cards = channelFor('card');
  for (let place = 0; place < count; place += CARD_TITLES) {
    const named = [...all.slice(place), ...all].slice(0, CARD_TITLES);
    const nonce = `${cards.slice(-8)} ${place}`;
    await stage.send(cards, { body: { embeds: [cardOf(named, language)] }, noise, nonce });
    stage.forward(APART_MS);
  }
  const channelId = channelFor('digest');
  for (let place = 0; place < count; place += TITLES_PER_DIGEST) {
    const named = [...all.slice(place), ...all].slice(0, TITLES_PER_DIGEST);
    const message = await digestOf(named, language, { seed: `${SEED} ${place}`, charts });
    const { embed, picture } = message;
    const nonce = `${channelId.slice(-8)} ${place}`;
    await stage.send(channelId, { body: { embeds: [embed], picture }, noise: HEARD, nonce });
    stage.forward(APART_MS);
  }
}

async function measure(page: Page, channel: string): Promise<Measured> {
  await page.getByRole('navigation').getByRole('button', { name: channel }).click();
  await page.getByRole('heading', { level: 1, name: channel }).waitFor();
  await settled(page);
  return measuredSchema.parse(await page.evaluate(MEASURE));
}

function summary(byLanguage: ReadonlyMap<LanguageTag, Measured>) {
  const all = [...byLanguage.values()].flat();
  const heights = all.map(({ heightPx }) => heightPx);
  const lines = all.map(({ contentPx }) => Math.round(contentPx / LINE_PX));
  const worst = [...byLanguage]
    .map(([language, of]) => ({
      language,
      p95Px: at(
        of.map(({ heightPx }) => heightPx),
        0.95,
      ),
    }))
    .reduce((most, next) => (next.p95Px > most.p95Px ? next : most));
  return {
    messages: all.length,
    medianPx: at(heights, 0.5),
    p95Px: at(heights, 0.95),
    maxPx: at(heights, 1),
    worst,
    contentLines: {
      median: at(lines, 0.5),
      p95: at(lines, 0.95),
      atMostTwo: Number((lines.filter((count) => count <= 2).length / lines.length).toFixed(3)),
    },
  };
}

/** The smallest of the numbers that this share of them does not exceed. */
function at(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
}
