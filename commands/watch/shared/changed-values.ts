import { ARROW } from '../../../src/embeds/context-lines.ts';
import { escapeText } from '../../../src/embeds/text/escape.ts';
import { type Language, languageFor } from '../../../src/language/language.ts';
import { parseJson } from '../../../src/lib/text/json.ts';
import { HOUR_SECONDS } from '../../../src/lib/time.ts';
import { type Change, settingOfOption } from '../../../src/watches/changes.ts';
import {
  type ChannelSettings,
  channelSettingsSchema,
} from '../../../src/watches/channel-settings.ts';
import { hoursWords } from '../../../src/watches/quiet-hours.ts';
import { words } from '../../../src/watches/settings/words.ts';
import {
  DEFAULT_SETTINGS,
  SETTING_NAMES,
  type SettingName,
  settingOf,
} from '../../../src/watches/watch-settings.ts';

/** Shown if nothing is set. */
const UNSET = '–';
/** Maximum number of code points shown of a label. */
const LABEL_MAX = 40;
/** Maximum number of markets and words that are written out; the others are counted. */
const NAMES_SHOWN = 3;

/**
 * Returns a part's value before and after a change, escaped for markdown: `from $50 → $500`, `– →
 * only buys`. Undefined if the values are unknown, or no command sets them.
 */
export function changedText(
  part: string,
  values: Change['values'],
  language: Language,
): string | undefined {
  const stored = values?.[part];
  if (stored === undefined) return undefined;
  const [before, after] = stored.map((value) => valueText(part, value, language));
  if (before === undefined || after === undefined || before === after) return undefined;
  return `${before}${ARROW}${withoutStart(after, before)}`;
}

/** Leaves out the words at the start that the text before has as well: `$500` of `from $500`. */
function withoutStart(text: string, before: string): string {
  const own = text.split(' ');
  const others = before.split(' ');
  let same = 0;
  while (same < own.length - 1 && own[same] === others[same]) same += 1;
  return own.slice(same).join(' ');
}

/**
 * @param stored as JSON
 * @returns undefined if it can no longer be read
 */
function valueText(part: string, stored: string, language: Language): string | undefined {
  const value = parseJson(stored);
  if (part === 'label') {
    if (value !== null && typeof value !== 'string') return undefined;
    return escapeText(value ?? '', LABEL_MAX, UNSET);
  }
  const ofWatch = SETTING_NAMES.find((name) => name === part);
  if (ofWatch !== undefined) return settingText(ofWatch, value, language);
  const ofChannel = settingOfOption(part);
  if (ofChannel === undefined) return undefined;
  const parsed = channelSettingsSchema.shape[ofChannel].safeParse(value);
  if (!parsed.success) return undefined;
  return channelText({ [ofChannel]: parsed.data }, ofChannel, language);
}

function settingText(name: SettingName, value: unknown, language: Language): string | undefined {
  const row = settingOf(name);
  const parsed = row.schema.safeParse(value);
  if (value === undefined || !parsed.success) return undefined;
  const { data } = parsed;
  const isShown = data !== DEFAULT_SETTINGS[name] || name === 'minUsdc';
  if (data === null || data === undefined || !isShown) return UNSET;
  return row.say(data, language, NAMES_SHOWN);
}

/** @param settings the one that is meant, and possibly others */
function channelText(
  settings: Partial<ChannelSettings>,
  name: NonNullable<ReturnType<typeof settingOfOption>>,
  language: Language,
): string {
  const { texts, format } = language;
  const { channel } = texts.commands;
  const { view = 'full', consensus = null, quiet = null, delay = null } = settings;
  switch (name) {
    case 'view':
      return choiceName(channel.views[view]);
    case 'results':
      return choiceName(channel.resultChoices[settings.results === false ? 'off' : 'on']);
    case 'consensusOnly':
      return choiceName(channel.consensusOnlyChoices[settings.consensusOnly ? 'on' : 'off']);
    case 'consensus': {
      if (consensus === null) return UNSET;
      return `${consensus.wallets} / ${format.duration(consensus.hours * HOUR_SECONDS)}`;
    }
    case 'quiet': {
      if (quiet === null) return UNSET;
      const [from, to, zone] = hoursWords(quiet);
      return `${from}–${to} (${escapeText(zone, LABEL_MAX, UNSET)})`;
    }
    case 'delay':
      return delay === null ? UNSET : format.duration(delay.ms / 1000);
    case 'language': {
      const tag = settings.language ?? null;
      if (tag === null) return channel.serverLanguage;
      return languageFor(tag).texts.commands.languageName;
    }
    case 'words':
      return settings.words == null ? UNSET : words.say(settings.words, language, NAMES_SHOWN);
  }
}

/** Returns the name of a choice, without its explanation: `compact: one line an alert`. */
function choiceName(choice: string): string {
  return (choice.split(/[:：]/u)[0] ?? choice).trim();
}
