import type * as english from './en/index.ts';
import { slashTexts } from './slash.ts';
import type { Terms } from './terms.ts';

type English = typeof english;
type OfVenue = 'alerts' | 'details' | 'errors' | 'lists' | 'notices' | 'watch';
type OfTerms = 'answers' | 'commands' | 'digest' | 'files' | 'personal';
type Fixed = Pick<English, 'card' | 'format' | 'news' | 'record' | 'scores'>;

/** Every text that people read in Discord. */
export type Texts = Fixed &
  Omit<Terms, 'permissions'> & { readonly [Name in OfVenue | OfTerms]: ReturnType<English[Name]> };

/**
 * Contents of a language's folder. It must have everything that the English folder has, or it does
 * not compile.
 */
type Parts<Venue> = Fixed &
  Omit<Terms, 'slash'> & {
    /**
     * Returns the forms of the venue's name that sentences need.
     *
     * @param name escaped; null if it has none
     */
    readonly venueForms: (name: string | null) => Venue;
  } & { readonly [Name in OfVenue]: (venue: Venue, terms: Terms) => ReturnType<English[Name]> } & {
    readonly [Name in OfTerms]: (terms: Terms) => ReturnType<English[Name]>;
  };

/**
 * @returns a function of the venue's name, escaped, null if it has none, that returns the texts; a
 *   locale that shares a folder passes names of its own
 */
export const textsOf =
  <Venue>(parts: Parts<Venue>) =>
  (venueName: string | null, own: Omit<Terms, 'slash'> = parts): Texts => {
    const venue = parts.venueForms(venueName);
    const terms = { names: own.names, permissions: own.permissions, slash: slashTexts(own.names) };
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
  };
