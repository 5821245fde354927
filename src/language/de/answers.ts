import type { AnswerWords } from '../en/answers.ts';
import type { Terms } from '../terms.ts';

export const answers = ({ slash }: Terms): AnswerWords => ({
  wallet: {
    noneInMessage: 'In dieser Nachricht steht keine Wallet-Adresse.',
    firstOf: (shown, all) => `Die ersten ${shown} von ${all} Wallets in dieser Nachricht:`,
    several: (addresses) => `Ich sehe mehrere Adressen: ${addresses}. Gib nur eine an.`,
    andMore: (shown, more) => `${shown} und ${more} weitere`,
    transaction: (hash) =>
      `${hash} ist eine Transaktion, keine Wallet. ` +
      'Gib die Adresse einer Wallet an: 0x, gefolgt von 40 Hexziffern.',
  },
  leftOut: {
    picture: (why) => `Das Diagramm fehlt: ${why}`,
    file: (why) => `Die Datei fehlt: ${why}`,
    why: {
      permission: (permission) => `Ich brauche in diesem Kanal „${permission}“.`,
      size: 'zu groß für Discord.',
      other: 'Discord hat es nicht angenommen.',
    },
  },
  welcome: (permission) =>
    'Hallo! Ich melde jeden Kauf, jeden Verkauf, jede Einlösung, ' +
    'jede Einzahlung und jede Auszahlung der Wallets, die du auswählst. ' +
    'So fängst du an: ' +
    `Gib ${slash.add} und die Adresse oder den Link einer Wallet in dem Kanal ein, ` +
    `der die Meldungen bekommen soll; dafür brauchst du „${permission}“. ` +
    `${slash.activity} zeigt die Trades jeder Wallet.`,
});
