import type { AnswerWords } from '../en/answers.ts';
import type { Terms } from '../terms.ts';

export const answers = ({ slash }: Terms): AnswerWords => ({
  wallet: {
    noneInMessage: 'Je n’ai trouvé aucune adresse de wallet dans ce message.',
    firstOf: (shown, all) => `Les ${shown} premiers des ${all} wallets de ce message\u00a0:`,
    several: (addresses) =>
      `J’ai trouvé plusieurs adresses\u00a0: ${addresses}. Indiques-en une seule.`,
    andMore: (shown, more) => `${shown} et ${more} de plus`,
    transaction: (hash) =>
      `${hash} est une transaction, pas un wallet. ` +
      'Donne l’adresse d’un wallet\u00a0: 0x suivi de 40 chiffres hexadécimaux.',
  },
  leftOut: {
    picture: (why) => `Le graphique manque\u00a0: ${why}`,
    file: (why) => `Le fichier manque\u00a0: ${why}`,
    why: {
      permission: (permission) => `il me faut «\u00a0${permission}\u00a0» dans ce salon.`,
      size: 'trop volumineux pour Discord.',
      other: 'Discord ne l’a pas accepté.',
    },
  },
  welcome: (permission) =>
    'Salut\u00a0! ' +
    'Je publie chaque achat, vente, encaissement, ' +
    'dépôt et retrait des wallets que tu choisis. ' +
    'Pour commencer, ' +
    `tape ${slash.add} et l’adresse ou le lien d’un wallet dans le salon qui doit recevoir ` +
    `les alertes\u00a0; il te faut la permission «\u00a0${permission}\u00a0». ` +
    `${slash.activity} montre les trades de n’importe quel wallet.`,
});
