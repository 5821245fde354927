import type { ScoreWords } from '../en/scores.ts';
import { plural } from '../plural.ts';
import { dative } from './place.ts';

const form = plural('de');

export const scores: ScoreWords = {
  title: 'Bilanz der Wallets',
  intro: (channel) =>
    `Erste Käufe in ${dative(channel)} seit dem Hinzufügen, nach gelisteten Gebühren, zum Preis der Wallet`,
  silent: (count, n) => `${count} ${form(n, { one: 'Wallet', other: 'Wallets' })}: noch zu neu`,
  more: (count) => `… und ${count} weitere`,
  nothing:
    'Noch keine Bilanz. ' +
    'Ein Markt zählt, sobald sein erster Kauf alt genug ist, nach dem Tempo der Wallet; ' +
    'ab 20 Märkten, gekauft an 8 Tagen, bekommt sie einen Rang.',
  hidden: (channel) => `Du kannst ${channel} nicht sehen, deshalb zeige ich die Bilanz nicht.`,
  elsewhere: (channel) =>
    `Nicht alle, die diesen Kanal lesen, können ${channel} sehen. Ruf die Bilanz dort auf.`,
  chart: {
    title: 'Cent pro Anteil, grau: Zufall',
    beyond: 'Außerhalb der Skala',
    alt: 'Cent pro Anteil der Wallets mit Rang, und was allein Zufall erklärt',
  },
};
