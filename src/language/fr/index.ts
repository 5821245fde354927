import type { Texts } from '../en/index.ts';
import { alerts } from './alerts.ts';
import { card } from './card.ts';
import { commands } from './commands.ts';
import { digest } from './digest.ts';
import { errors } from './errors.ts';
import { format } from './figures.ts';
import { files } from './files.ts';
import { lists } from './lists.ts';
import { names, slash } from './names.ts';
import { news } from './news.ts';
import { notices } from './notices.ts';
import { watch } from './watch.ts';

export const french: Texts = {
  alerts,
  card,
  commands,
  digest,
  errors,
  format,
  files,
  lists,
  names,
  news,
  notices,
  slash,
  watch,
};
