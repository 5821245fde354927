import type { ScoreWords } from '../en/scores.ts';
import { plural } from '../plural.ts';

const form = plural('fr');

export const scores: ScoreWords = {
  title: 'Bilan des wallets',
  intro: (channel) => `Premiers achats des wallets de ${channel}, depuis qu’ils sont suivis`,
  method: 'Après frais indiqués, au prix du wallet. Classement\u00a0: cents moins une erreur type.',
  unranked: 'Trop tôt pour un classement',
  silent: (count, n) =>
    `Aucun achat assez ancien\u00a0: ${count} ${form(n, { one: 'wallet', other: 'wallets' })}`,
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
    title: 'Cents par part des premiers achats ± erreur type',
    beyond: 'Hors échelle',
    alt: 'Cents par part des wallets classés, avec barres d’erreur',
  },
  digest: { all: 'Bilan', best: (count) => `Meilleurs bilans sur ${count}` },
};
