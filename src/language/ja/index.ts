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
import { watch } from './watch/watch.ts';

const texts: Texts = {
  alerts,
  answers,
  card,
  commands,
  details,
  digest,
  errors,
  format,
  files,
  lists,
  names,
  news,
  record,
  scores,
  notices,
  personal,
  slash,
  watch,
};

export const japanese = { tag: 'ja', texts } as const;
