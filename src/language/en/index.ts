import { termsOf } from '../terms.ts';
import { alerts } from './alert/alerts.ts';
import { details } from './alert/details.ts';
import { news } from './alert/news.ts';
import { record } from './alert/record.ts';
import { answers } from './answers.ts';
import { card } from './card.ts';
import { commands } from './commands.ts';
import { digest } from './digest.ts';
import { errors } from './errors.ts';
import { format } from './figures.ts';
import { files } from './files.ts';
import { lists } from './lists.ts';
import { names, permissions } from './names.ts';
import { notices } from './notices.ts';
import { personal } from './personal.ts';
import { scores } from './scores.ts';
import { venueForms } from './venue.ts';
import { watch } from './watch/watch.ts';

/** Every text that people read in Discord. The other languages have the same, or do not compile. */
const texts = (name: string | null) => {
  const venue = venueForms(name);
  const terms = termsOf({ names, permissions });
  return {
    alerts: alerts(venue, terms),
    answers: answers(terms),
    card,
    commands: commands(terms),
    details: details(venue, terms),
    digest: digest(terms),
    errors: errors(venue, terms),
    format,
    files: files(terms),
    lists: lists(venue, terms),
    names: terms.names,
    news,
    record,
    scores,
    notices: notices(venue),
    personal: personal(terms),
    slash: terms.slash,
    watch: watch(venue, terms),
  };
};
export type Texts = ReturnType<typeof texts>;

export const english = { tag: 'en-US', alsoFor: ['en-GB'], texts } as const;
