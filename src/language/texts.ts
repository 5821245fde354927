import type * as english from './en/index.ts';
import * as englishParts from './en/index.ts';
import type { Names } from './en/names.ts';
import { slashTexts } from './slash.ts';
import type { Terms } from './terms.ts';
import { completed, missing, type Translated } from './translated.ts';

type English = typeof english;
type OfVenue = 'alerts' | 'details' | 'errors' | 'lists' | 'notices' | 'watch';
type OfTerms = 'answers' | 'commands' | 'digest' | 'files' | 'personal';
type Fixed = Pick<English, 'card' | 'news' | 'record' | 'scores'>;
/** Texts that other texts insert. */
type Inserted = Pick<English, 'names' | 'permissions'>;

/** Every text that people read in Discord. */
export type Texts = Fixed &
  Pick<English, 'format'> &
  Omit<Terms, 'permissions'> & { readonly [Name in OfVenue | OfTerms]: ReturnType<English[Name]> };

type TranslatedParts<All> = { readonly [Name in keyof All]: Translated<All[Name]> };

/** Contents of a language's folder. A text may be missing: the English one stands in for it. */
export type Parts<Venue> = TranslatedParts<Fixed & Inserted> &
  Pick<English, 'format'> & {
    /**
     * Returns the forms of the venue's name that sentences need.
     *
     * @param name escaped; null if it has none
     */
    readonly venueForms: (name: string | null) => Venue;
  } & {
    readonly [Name in OfVenue]: (
      venue: Venue,
      terms: Terms,
    ) => Translated<ReturnType<English[Name]>>;
  } & { readonly [Name in OfTerms]: (terms: Terms) => Translated<ReturnType<English[Name]>> };

/**
 * Returns all texts of a language.
 *
 * @param venueName escaped; null if it has none
 * @param options other names of options, which sentences insert
 */
export type TextsFor = (venueName: string | null, options?: Partial<Names['options']>) => Texts;

/** @returns a function that returns the texts; a locale that shares a folder passes names of its own */
export const textsOf =
  <Venue>(parts: Parts<Venue>) =>
  (
    venueName: string | null,
    options: Partial<Names['options']> = {},
    own: TranslatedParts<Inserted> = parts,
  ): Texts => {
    const terms = termsOf(own, options);
    const english = ownTexts(englishParts, venueName, terms) as Texts;
    return completed<Texts>(english, ownTexts(parts, venueName, terms));
  };

/** Returns the paths of the English texts that a language's folder lacks. */
export function missingTexts<Venue>(parts: Parts<Venue>): string[] {
  const terms = termsOf(parts);
  return [
    ...missing<Inserted>(insertedOf(englishParts), parts),
    ...missing(ownTexts(englishParts, null, terms) as Texts, ownTexts(parts, null, terms)),
  ];
}

const insertedOf = ({ names, permissions }: Inserted): Inserted => ({ names, permissions });

function termsOf(own: TranslatedParts<Inserted>, options: Partial<Names['options']> = {}): Terms {
  const english = insertedOf(englishParts);
  const typed = completed(english.names, own.names);
  const names = { ...typed, options: { ...typed.options, ...options } };
  const permissions = completed(english.permissions, own.permissions);
  return { names, permissions, slash: slashTexts(names) };
}

function ownTexts<Venue>(
  parts: Parts<Venue>,
  venueName: string | null,
  terms: Terms,
): TranslatedParts<Texts> {
  const venue = parts.venueForms(venueName);
  const { card, format, news, record, scores } = parts;
  return {
    alerts: parts.alerts(venue, terms),
    answers: parts.answers(terms),
    card,
    commands: parts.commands(terms),
    details: parts.details(venue, terms),
    digest: parts.digest(terms),
    errors: parts.errors(venue, terms),
    files: parts.files(terms),
    format,
    lists: parts.lists(venue, terms),
    names: terms.names,
    news,
    notices: parts.notices(venue, terms),
    personal: parts.personal(terms),
    record,
    scores,
    slash: terms.slash,
    watch: parts.watch(venue, terms),
  };
}
