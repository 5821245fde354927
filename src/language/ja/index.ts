import type { Texts } from '../en/index.ts';
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
import { names, slash } from './names.ts';
import { notices } from './notices.ts';
import { personal } from './personal.ts';
import { scores } from './scores.ts';
import { venueForms } from './venue.ts';
import { watch } from './watch/watch.ts';

const texts = (name: string | null): Texts => {
  const venue = venueForms(name);
  return {
    alerts: alerts(venue),
    answers,
    card,
    commands,
    details: details(venue),
    digest,
    errors: errors(venue),
    format,
    files,
    lists: lists(venue),
    names,
    news,
    record,
    scores,
    notices: notices(venue),
    personal,
    slash,
    watch: watch(venue),
  };
};

export const japanese = { tag: 'ja', texts } as const;
