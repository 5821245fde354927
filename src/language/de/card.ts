import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('de');

export const card: CardWords = {
  fromList: (reach) => `Grundlage: ${reach}.`,
  names: {
    cameBack: 'Zurückgeflossen',
    open: 'Offen',
    volume: 'Volumen',
    usual: 'Üblicher Trade',
  },
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  cameBack: {
    sum: (back, paid) => `${back} bei ${paid} Einsatz`,
    atLeast: (gain) => `mindestens ${gain}`,
    markets: (markets, n, day) =>
      `${markets} ${form(n, { one: 'Markt', other: 'Märkte' })}, erster Kauf bis ${day}`,
    withoutEnd: (count, _n, paid) => `${count} (${paid}) ohne bekannten Ausgang, mit 0 gezählt`,
    tooEarly: 'zu früh für eine Summe',
  },
  ofFew: (trades, n) => `nur ${trades} ${form(n, { one: 'Trade', other: 'Trades' })}`,
  upTo: (p95) => `selten über ${p95}`,
  positions: {
    all: (markets, n, paid) =>
      `${markets} ${form(n, { one: 'Markt', other: 'Märkte' })} · ${paid} bezahlt`,
    withoutTitle: 'Markt ohne Titel',
    withoutSide: 'Anteile',
  },
  didNotFit: (lines, n) => `${lines} ${form(n, { one: 'Zeile', other: 'Zeilen' })} nicht angezeigt`,
};
