import { ENGLISH, LANGUAGE_TAGS } from '../../../src/language/language.ts';
import { clockWords } from '../../../src/lib/clock.ts';
import { HOUR_SECONDS } from '../../../src/lib/time.ts';
import type { ChannelSettings } from '../../../src/watches/channel-settings.ts';
import type { Form } from '../../../src/watches/forms/form.ts';
import { readHours } from '../../../src/watches/quiet-hours.ts';
import { durationWords } from '../../../src/watches/settings/durations.ts';
import type { Field } from '../../../src/watches/settings/field.ts';
import type { TypedOptions } from '../../../src/watches/settings/setting.ts';
import { words } from '../../../src/watches/settings/words.ts';
import { DELAYS, languageName, SERVER, WALLETS_LEAST, WALLETS_MOST, WITHIN } from '../channel.ts';
import type { ChannelFormName } from './rows.ts';

/** A channel's fields, by the form that sets them. */
const FIELDS: Readonly<Record<ChannelFormName, readonly Field[]>> = {
  look: [
    {
      option: 'view',
      control: { kind: 'choice', names: ({ texts }) => texts.commands.channel.views },
      cleared: 'full',
    },
    {
      option: 'language',
      control: {
        kind: 'choice',
        names(language) {
          const tags = [SERVER, ...LANGUAGE_TAGS];
          return Object.fromEntries(tags.map((tag) => [tag, languageName(tag, language)]));
        },
      },
      cleared: SERVER,
    },
    {
      option: 'results',
      control: { kind: 'choice', names: ({ texts }) => texts.commands.channel.resultChoices },
      cleared: 'on',
    },
  ],
  when: [
    {
      option: 'quiet',
      control: { kind: 'text', most: 40 },
      cleared: 'none',
      normal(text) {
        const hours = readHours(text);
        return hours === null ? text.trim() : hoursText(hours);
      },
    },
    { option: 'time-zone', control: { kind: 'text', most: 60 }, cleared: 'none' },
    { option: 'delay', control: { kind: 'duration', starts: DELAYS }, cleared: 'none' },
  ],
  consensus: [
    {
      option: 'consensus',
      control: {
        kind: 'number',
        takes: ({ texts }) => texts.watch.panel.wallets(WALLETS_LEAST, WALLETS_MOST),
      },
      cleared: '0',
    },
    {
      option: 'consensus-within',
      control: { kind: 'duration', starts: WITHIN },
      cleared: '1d',
      needs: 'consensus',
    },
    {
      option: 'consensus-only',
      control: {
        kind: 'choice',
        names: ({ texts }) => texts.commands.channel.consensusOnlyChoices,
      },
      cleared: 'off',
      needs: 'consensus',
    },
  ],
  words: words.fields,
};

/** Returns one of a channel's forms, filled in with the channel's settings. */
export function channelForm(name: ChannelFormName, settings: ChannelSettings): Form {
  const { view, language, results, quiet, delay, consensus, consensusOnly } = settings;
  const texts: Record<string, string> = {
    view,
    language: language ?? SERVER,
    results: results ? 'on' : 'off',
    'consensus-only': consensusOnly ? 'on' : 'off',
  };
  if (quiet !== null) {
    texts['quiet'] = hoursText(quiet);
    texts['time-zone'] = quiet.timeZone;
  }
  if (delay !== null) texts['delay'] = durationWords(delay.ms / 1000, ENGLISH);
  if (consensus !== null) {
    texts['consensus'] = String(consensus.wallets);
    texts['consensus-within'] = durationWords(consensus.hours * HOUR_SECONDS, ENGLISH);
  }
  const ofWords: TypedOptions =
    settings.words === null ? {} : (words.typed?.(settings.words) ?? {});
  return { fields: FIELDS[name], texts: { ...texts, ...ofWords } };
}

function hoursText({ fromMinutes, toMinutes }: NonNullable<ReturnType<typeof readHours>>): string {
  return `${clockWords(fromMinutes)}-${clockWords(toMinutes)}`;
}
