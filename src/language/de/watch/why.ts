import type { WhyWords } from '../../en/watch/why.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

export const why = (venue: VenueForms, { slash }: Terms): WhyWords => ({
  nowhere:
    'Diese Wallet wird in keinem Kanal beobachtet, den du siehst. ' +
    `${slash.list} zeigt, was beobachtet wird.`,
  notListed: (read) =>
    `${venue.start} führt keinen Trade und keine Einlösung dieser Wallet mit dieser ` +
    `Transaktion, und auch keine der ${read} neuesten Ein- und Auszahlungen gehört dazu. ` +
    'Prüf Wallet und Transaktion.',
  posted: 'gemeldet',
  part: 'zusammen mit anderen Einträgen gemeldet',
  postedOnce: (time) => `gemeldet ${time}`,
  waits: {
    sending: 'auf dem Weg in den Kanal',
    purchase: 'kommt gleich in die Nachricht zu diesem Kauf',
    meaning: `wartet kurz auf eine Antwort von ${venue.dative}, was es für die Position heißt`,
    setting: (setting) => `wartet wegen der Einstellung „${setting}“`,
    until: (what, time) => `${what}, spätestens bis ${time}`,
  },
  held: (hold) => `nicht gemeldet: ${hold}`,
  holds: {
    before: 'war vor dem Beginn dieser Meldungen',
    pause: 'ihre Meldungen waren pausiert',
    consensusOnly: 'hier wird nur ein Konsens gemeldet',
    backlog: 'zu viele Meldungen warteten auf diesen Kanal; ein Hinweis sagt das',
    setting: (setting) => `Einstellung „${setting}“`,
    channelWords: (words) => `Einstellung des Kanals „${words}“`,
  },
  rejected: (reason) => `nicht gemeldet, weil Discord es nicht annimmt. ${reason}`,
  missed: 'vielleicht nie gesehen: Ein Hinweis betrifft diese Zeit',
  unseen: 'wurde noch bei keiner Abfrage gesehen',
  today: {
    passes: 'Was damals geschah, ist nicht mehr bekannt. Heute würde es gemeldet',
    held: (hold) =>
      `Was damals geschah, ist nicht mehr bekannt. Heute würde es nicht gemeldet: ${hold}`,
    unsure:
      'Weitere Ausführungen eines Kaufs, ' +
      'die übliche Größe und die Wirkung auf die Position sind hier nicht berücksichtigt.',
  },
  unconfirmed:
    'Ein weiterer, gleicher Eintrag wird gemeldet, ' +
    'wenn ihn auch die nächsten zwei Abfragen zeigen.',
});
