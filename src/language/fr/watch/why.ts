import type { WhyWords } from '../../en/watch/why.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

export const why = (venue: VenueForms, { slash }: Terms): WhyWords => ({
  nowhere:
    'Ce wallet n’est suivi dans aucun salon que tu vois. ' +
    `${slash.list} montre ce qui est suivi.`,
  notListed: (read) =>
    `${venue.start} n’indique aucun trade ni encaissement de ce wallet avec cette ` +
    `transaction, et elle ne figure pas parmi ses ${read} dépôts et retraits les plus récents. ` +
    'Vérifie le wallet et la transaction.',
  posted: 'publié',
  part: 'publié dans un message avec d’autres entrées',
  postedOnce: (time) => `publié ${time}`,
  waits: {
    sending: 'en route vers le salon',
    purchase: 'bientôt ajouté au message de son achat',
    meaning: 'en attente\u00a0: l’effet sur la position n’est pas encore connu',
    setting: (setting) => `en attente à cause du réglage «\u00a0${setting}\u00a0»`,
    until: (what, time) => `${what} (au plus tard\u00a0: ${time})`,
  },
  filtered: (reason) => `non publié\u00a0: ${reason}`,
  reasons: {
    before: 'c’était avant que ce wallet soit suivi ici',
    pause: 'ses alertes étaient en pause',
    consensusOnly: 'seul un consensus est publié ici',
    backlog: 'trop d’alertes attendaient ici\u00a0; un avis le dit',
    setting: (setting) => `réglage «\u00a0${setting}\u00a0»`,
    unnamedKind: (option, kind) =>
      `ce n’est pas un type habituel, et \`${option}\` ne contient pas \`${kind}\``,
    channelWords: (words) => `réglage du salon «\u00a0${words}\u00a0»`,
  },
  rejected: (reason) => `non publié, car Discord le refuse. ${reason}`,
  later: 'pas encore\u00a0: ce salon est différé',
  missed: 'peut-être manqué\u00a0: un avis couvre ce moment',
  unseen: 'pas encore vu',
  today: {
    passes: 'je ne sais plus ce qui s’est passé alors. Aujourd’hui, ce serait publié',
    filtered: (reason) =>
      'je ne sais plus ce qui s’est passé alors. ' +
      `Aujourd’hui, ce ne serait pas publié\u00a0: ${reason}`,
    unsure:
      'Sans tenir compte des autres exécutions du même achat, ' +
      'de la taille habituelle ni de l’effet sur la position.',
  },
  unconfirmed:
    'Il existe une autre entrée identique\u00a0: ' +
    'elle sera publiée une fois vue dans deux interrogations de plus.',
});
