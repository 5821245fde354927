import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('de');

export const card: CardWords = {
  fromList: (reach) => `Aus der Liste: ${reach}.`,
  knownFromFirst: 'Alle Trades bekannt, vom ersten an',
  knownSince: (time) => `Alle Trades bekannt seit ${time}`,
  seen: (records, n) =>
    `${records} ${form(n, { one: 'Trade oder Einlösung', other: 'Trades und Einlösungen' })} gesehen`,
  volume: (windows) => `**Volumen** ${windows}`,
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  volumeAtLeast: (window, usdc) => `${window} mindestens ${usdc}`,
  realized: (parts) => `**Realisiert** ${parts}`,
  onClosed: (gain, positions, n, won, percent) =>
    `${gain} aus ${positions} ${form(n, { one: 'geschlossener Position', other: 'geschlossenen Positionen' })}, ${won} gewonnen (${percent})`,
  onOthers: (gain) => `${gain} aus dem, was von anderen bekannt ist`,
  maker: (percent) => `**Maker** ${percent}`,
  taker: (percent, fills, n) =>
    `**Taker** ${percent} von ${fills} ${form(n, { one: 'Ausführung', other: 'Ausführungen' })}, gesehen in 30 Tagen`,
  usualOfFew: (median, trades, n) =>
    `**Üblicher Trade** Median ${median} aus nur ${trades} ${form(n, { one: 'Trade', other: 'Trades' })}`,
  usual: (median, p95, trades) => `**Üblicher Trade** Median ${median}, 95 % bis ${p95}, der letzten ${trades} Trades`,
  lastDeposit: (what) => `**Letzte Einzahlung** ${what}`,
  lastWithdrawal: (what) => `**letzte Auszahlung** ${what}`,
  noTransfer: 'keine',
  noTransferSince: (time) => `keine seit ${time}`,
  transfer: (usdc, time) => `${usdc} ${time}`,
  transferBeforeGap: (usdc, time, since) => `${usdc} ${time} (alle bekannt seit ${since})`,
  alerts: {
    noneClosed: '**Meldungen hier** noch kein Markt geschlossen',
    closed: (markets, n, won, percent, from, to) =>
      `**Meldungen hier** ${markets} ${form(n, { one: 'geschlossener Markt', other: 'geschlossene Märkte' })}, ${won} gewonnen (${percent}; 95-%-Intervall ${from} bis ${to})`,
    perDollar: (gain) => `${gain} je Dollar zum Preis der Meldung, nach Gebühren`,
    smallSample: 'eine kleine Stichprobe',
    open: (markets, oldest) => `${markets} noch offen, am längsten seit ${oldest}`,
    givenUp: (markets) => `${markets} ohne gesehenes Ende aufgegeben`,
  },
  positions: {
    open: (positions) => `**Offene Positionen** ${positions}`,
    cost: (usdc) => `Kosten ${usdc}`,
    at: (shares, averageEntry) => `${shares} zu ${averageEntry}`,
    withoutTitle: 'Markt ohne Titel',
    withoutSide: 'Anteile',
    more: (positions) => `… und ${positions} weitere`,
  },
  didNotFit: (lines, n) => `${lines} ${form(n, { one: 'Zeile', other: 'Zeilen' })} ohne Platz`,
};
