import type { Texts } from '../en/index.ts';
import { alerts } from './alerts.ts';
import { answers } from './answers.ts';
import { card } from './card.ts';
import { commands } from './commands.ts';
import { details } from './details.ts';
import { digest } from './digest.ts';
import { errors } from './errors.ts';
import { format } from './figures.ts';
import { files } from './files.ts';
import { lists } from './lists.ts';
import { names, slash } from './names.ts';
import { news } from './news.ts';
import { notices } from './notices.ts';
import { personal } from './personal.ts';
import { record } from './record.ts';
import { scores } from './scores.ts';
import { watch } from './watch.ts';

export const portuguese: Texts = {
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
