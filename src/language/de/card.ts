import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('de');

export const card: CardWords = {
  fromList: (reach) => `Grundlage: ${reach}.`,
  knownFromFirst: 'Alle Trades seit dem ersten',
  names: {
    realized: 'Realisiert',
    volume: 'Volumen',
    usual: 'Üblicher Trade',
    lastDeposit: 'Letzte Einzahlung',
    lastWithdrawal: 'Letzte Auszahlung',
    record: 'Bilanz',
    positions: 'Offene Positionen',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  won: (won, all) => `${won} von ${all} gewonnen`,
  onOpen: (gain) => `${gain} offen`,
  taker: (percent) => `Taker ${percent}`,
  ofFew: (trades, n) => `nur ${trades} ${form(n, { one: 'Trade', other: 'Trades' })}`,
  upTo: (p95) => `95\u00a0% bis ${p95}`,
  noTransfer: 'keine',
  since: (time) => `seit ${time}`,
  completeSince: (time) => `vollständig seit ${time}`,
  positions: {
    all: (positions, _n, cost) => `${positions} · Kosten ${cost}`,
    at: (paid, averageEntry) => `${paid} zu ${averageEntry}`,
    withoutTitle: 'Markt ohne Titel',
    withoutSide: 'Anteile',
  },
  didNotFit: (lines, n) => `${lines} ${form(n, { one: 'Zeile', other: 'Zeilen' })} nicht angezeigt`,
};
