import type { AnswerWords } from '../en/answers.ts';
import { slash } from './names.ts';

export const answers: AnswerWords = {
  wallet: {
    several: (addresses) => `Da stehen mehrere Adressen: ${addresses}. Gib eine an.`,
    andMore: (shown, more) => `${shown} und ${more} weitere`,
    transaction: (hash) =>
      `${hash} ist eine Transaktion, kein Wallet. Gib die Adresse eines Wallets an: 0x, gefolgt von 40 Hexziffern.`,
  },
  leftOut: {
    picture: (why) => `Das Diagramm fehlt: ${why}`,
    file: (why) => `Die Datei fehlt: ${why}`,
    why: {
      permission: (permission) => `Ich brauche in diesem Kanal „${permission}“.`,
      size: 'zu groß für Discord.',
      other: 'Discord hat es nicht angenommen.',
    },
    attachFiles: 'Dateien anhängen',
  },
  welcome: (permission) =>
    `Hallo! Ich melde jeden Kauf, jeden Verkauf, jede Einlösung, jede Einzahlung und jede Auszahlung der Wallets, die du auswählst. So fängst du an: Gib ${slash.add} und die Adresse oder den Link eines Wallets in dem Kanal ein, der die Meldungen bekommen soll; dafür brauchst du „${permission}“. ${slash.activity} zeigt die Trades jedes Wallets.`,
  manageServer: 'Server verwalten',
};
