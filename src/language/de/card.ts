import type { CardWords } from '../en/card.ts';
import { plural } from '../plural.ts';

const form = plural('de');

export const card: CardWords = {
  fromList: (reach) => `Grundlage: ${reach}.`,
  knownFromFirst: 'Alle Trades seit dem ersten',
  knownSince: (time) => `Alle Trades seit ${time}`,
  seen: (records, n) =>
    `${records} ${form(n, { one: 'Trade oder Einlösung', other: 'Trades und Einlösungen' })} erfasst`,
  volume: (windows) => `**Volumen** ${windows}`,
  volumeIn: (window, usdc) => `${window} ${usdc}`,
  realized: (parts) => `**Realisiert** ${parts}`,
  onClosed: (gain, positions, n, won, percent) =>
    `${gain} aus ${positions} ${form(n, { one: 'geschlossener Position', other: 'geschlossenen Positionen' })}, ${won} gewonnen (${percent})`,
  onOpen: (gain) => `${gain} aus offenen Positionen`,
  maker: (percent) => `**Maker** ${percent}`,
  taker: (percent, fills, n) =>
    `**Taker** ${percent} von ${fills} ${form(n, { one: 'Ausführung', other: 'Ausführungen' })} der letzten 30 Tage`,
  usualOfFew: (median, trades, n) =>
    `**Üblicher Trade** Median ${median} aus nur ${trades} ${form(n, { one: 'Trade', other: 'Trades' })}`,
  usual: (median, p95, trades) => `**Üblicher Trade** Median ${median}, 95\u00a0% bis ${p95} (letzte ${trades} Trades)`,
  lastDeposit: (what) => `**Letzte Einzahlung** ${what}`,
  lastWithdrawal: (what) => `**letzte Auszahlung** ${what}`,
  noTransfer: 'keine',
  noTransferSince: (time) => `keine seit ${time}`,
  transfer: (usdc, time) => `${usdc} ${time}`,
  transferBeforeGap: (usdc, time, since) => `${usdc} ${time} (vollständig seit ${since})`,
  record: (record) => `**Bilanz** ${record}`,
  positions: {
    open: (positions) => `**Offene Positionen** ${positions}`,
    cost: (usdc) => `Kosten ${usdc}`,
    at: (shares, averageEntry) => `${shares} zu ${averageEntry}`,
    withoutTitle: 'Markt ohne Titel',
    withoutSide: 'Anteile',
    more: (positions) => `… und ${positions} weitere`,
  },
  didNotFit: (lines, n) => `${lines} ${form(n, { one: 'Zeile', other: 'Zeilen' })} nicht angezeigt`,
};
