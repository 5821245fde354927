import type { ScoreWords } from '../en/scores.ts';
import { plural } from '../plural.ts';

const form = plural('fr');

export const scores: ScoreWords = {
  title: 'Bilan des wallets',
  intro: (channel) =>
    `Premiers achats dans ${channel} depuis l’ajout, après frais indiqués, au prix du wallet`,
  silent: (count, n) =>
    `${count} ${form(n, { one: 'wallet trop récent', other: 'wallets trop récents' })}`,
  more: (count) => `… et ${count} de plus`,
  nothing:
    'Pas encore de bilan. ' +
    'Un marché compte dès que son premier achat est assez ancien, ' +
    'selon le rythme du wallet\u00a0; ' +
    'à partir de 20 marchés, achetés sur 8 jours, le wallet est classé.',
  hidden: (channel) => `Tu ne peux pas voir ${channel}, je ne montre donc pas son bilan.`,
  elsewhere: (channel) =>
    `Certains ici ne peuvent pas voir ${channel}. Lance la commande dans ce salon-là.`,
  chart: {
    title: 'Cents par part, gris\u00a0: hasard',
    beyond: 'Hors échelle',
    alt: 'Cents par part des wallets classés, et ce que le seul hasard explique',
  },
};
