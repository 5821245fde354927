/** The bot's languages: a line each. */
export { german } from './de/index.ts';
export { english } from './en/index.ts';
export { spanish } from './es/index.ts';
export { latinAmericanSpanish } from './es/latin-america.ts';
export { french } from './fr/index.ts';
export { japanese } from './ja/index.ts';
export { portuguese } from './pt/index.ts';
export { chinese } from './zh/index.ts';
export { taiwaneseChinese } from './zh/taiwan.ts';
