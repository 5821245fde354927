import type { ScoreWords } from '../en/scores.ts';
import { plural } from '../plural.ts';

const form = plural('fr');

export const scores: ScoreWords = {
  title: 'Bilan des wallets',
  intro: (channel) => `Ce qu’ont donné les alertes de ${channel}`,
  method:
    'Rendement par dollar aux prix des alertes, après frais, ± une erreur type. Classement\u00a0: le rendement moins cette erreur\u00a0; les marchés ouverts depuis plus de 30 jours comptent comme perdus.',
  unranked: 'Non classés\u00a0: moins de 20 marchés clôturés',
  won: (won, markets, n) =>
    `${won} sur ${markets} ${form(n, { one: 'marché clôturé gagné', other: 'marchés clôturés gagnés' })}`,
  closedAlone: (figure) => `clôturés seuls ${figure}`,
  open: (count, n) => `${count} ${form(n, { one: 'ouvert', other: 'ouverts' })}`,
  openOldest: (count, n, oldest) =>
    `${count} ${form(n, { one: 'ouvert', other: 'ouverts' })}, le plus ancien depuis le ${oldest}`,
  overdue: (count, n) =>
    `${count} de plus de 30 jours, ${form(n, { one: 'compté comme perdu', other: 'comptés comme perdus' })}`,
  givenUp: (count, n) => `${count} ${form(n, { one: 'abandonné', other: 'abandonnés' })}`,
  noneClosed: 'aucun clôturé pour l’instant',
  noAlerts: (count, n) =>
    `Aucun achat signalé pour l’instant\u00a0: ${count} ${form(n, { one: 'wallet', other: 'wallets' })}`,
  more: (count) => `… et ${count} de plus`,
  nothing:
    'Pas encore de bilan\u00a0: aucun achat de ces wallets n’a été signalé ici. Dès qu’il y en aura un, son wallet figurera ici\u00a0; un marché compte quand le wallet a vendu ou encaissé tout ce qui a été signalé, et à partir de 20 marchés de ce genre le wallet est classé.',
  hidden: (channel) => `Tu ne peux pas voir ${channel}, je ne montre donc pas son bilan.`,
  elsewhere: (channel) =>
    `Certaines personnes qui lisent ce salon ne peuvent pas voir ${channel}. Demande son bilan dans ce salon-là.`,
  chart: {
    title: 'Rendement par dollar ± erreur type',
    ranked: 'Plus de 30 jours\u00a0: perdu',
    closed: 'Clôturés seuls',
    beyond: 'Au-delà de l’axe',
    alt: 'Rendement par dollar des wallets classés, avec barres d’erreur',
  },
  digest: { all: 'Bilan', ends: (count) => `Bilan\u00a0: les meilleurs et les pires de ${count}` },
};
