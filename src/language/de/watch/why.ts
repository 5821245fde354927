import type { WhyWords } from '../../en/watch/why.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

export const why = (venue: VenueForms, { slash }: Terms): WhyWords => ({
  nowhere:
    'Diese Wallet wird in keinem Kanal beobachtet, den du siehst. ' +
    `${slash.list} zeigt, was beobachtet wird.`,
  notListed: (read) =>
    `${venue.start} hat zu dieser Transaktion weder einen Trade noch eine Einlösung dieser ` +
    `Wallet, und auch unter ihren ${read} neuesten Ein- und Auszahlungen ist sie nicht. ` +
    'Prüf Wallet und Transaktion.',
  posted: 'gemeldet',
  part: 'zusammen mit anderen Einträgen gemeldet',
  postedOnce: (time) => `gemeldet ${time}`,
  waits: {
    sending: 'auf dem Weg in den Kanal',
    purchase: 'kommt gleich in die Nachricht zu diesem Kauf',
    meaning: 'wartet, bis klar ist, was es für die Position heißt',
    setting: (setting) => `wartet wegen der Einstellung „${setting}“`,
    until: (what, time) => `${what}, spätestens bis ${time}`,
  },
  filtered: (reason) => `nicht gemeldet: ${reason}`,
  reasons: {
    before: 'geschah, bevor diese Wallet hier beobachtet wurde',
    pause: 'ihre Meldungen waren pausiert',
    consensusOnly: 'hier wird nur Konsens gemeldet',
    backlog: 'hier warteten zu viele Meldungen; ein Hinweis sagt das',
    setting: (setting) => `Einstellung „${setting}“`,
    unnamedKind: (option, kind) =>
      `es ist nichts von den üblichen Arten, und \`${option}\` nennt \`${kind}\` nicht`,
    channelWords: (words) => `Einstellung des Kanals „${words}“`,
  },
  rejected: (reason) => `nicht gemeldet, weil Discord es nicht annimmt. ${reason}`,
  later: 'noch nicht: In diesem Kanal kommt alles verzögert',
  missed: 'vielleicht verpasst: Zu dieser Zeit gibt es einen Hinweis',
  unseen: 'noch nicht gesehen',
  today: {
    passes: 'Was damals war, weiß ich nicht mehr. Heute würde es gemeldet',
    filtered: (reason) =>
      `Was damals war, weiß ich nicht mehr. Heute würde es nicht gemeldet: ${reason}`,
    unsure:
      'Weitere Ausführungen eines Kaufs, ' +
      'die übliche Größe und die Wirkung auf die Position sind hier nicht berücksichtigt.',
  },
  unconfirmed:
    'Es gibt noch einen gleichen Eintrag: ' +
    'Er wird gemeldet, sobald ihn zwei weitere Aktualisierungen zeigen.',
});
