import type { WhyWords } from '../../en/watch/why.ts';
import type { Terms } from '../../terms.ts';
import type { VenueForms } from '../venue.ts';

export const why = (venue: VenueForms, { slash }: Terms): WhyWords => ({
  nowhere:
    'Ce wallet n’est suivi dans aucun salon que tu vois. ' +
    `${slash.list} montre ce qui est suivi.`,
  notListed: (read) =>
    `${venue.start} n’indique aucun trade ni encaissement de ce wallet avec cette ` +
    `transaction, et aucun de ses ${read} dépôts et retraits les plus récents ne la porte. ` +
    'Vérifie le wallet et la transaction.',
  posted: 'publié',
  part: 'publié dans un message avec d’autres entrées',
  postedOnce: (time) => `publié ${time}`,
  waits: {
    sending: 'en route vers le salon',
    purchase: 'bientôt ajouté au message de son achat',
    meaning: `en attente\u00a0: ${venue.name} doit dire ce que cela change à la position`,
    setting: (setting) => `en attente à cause du réglage «\u00a0${setting}\u00a0»`,
    until: (what, time) => `${what} (au plus tard\u00a0: ${time})`,
  },
  held: (hold) => `non publié\u00a0: ${hold}`,
  holds: {
    before: 'c’était avant le début de ces alertes',
    pause: 'ses alertes étaient en pause',
    consensusOnly: 'seul un consensus est publié ici',
    backlog: 'trop d’alertes attendaient pour ce salon\u00a0; un avis le dit',
    setting: (setting) => `réglage «\u00a0${setting}\u00a0»`,
    channelWords: (words) => `réglage du salon «\u00a0${words}\u00a0»`,
  },
  rejected: (reason) => `non publié, car Discord le refuse. ${reason}`,
  missed: 'peut-être jamais vu\u00a0: un avis concerne ce moment',
  unseen: 'aucun relevé ne l’a encore montré',
  today: {
    passes: 'on ne sait plus ce qui s’est passé alors. Aujourd’hui, ce serait publié',
    held: (hold) =>
      'on ne sait plus ce qui s’est passé alors. ' +
      `Aujourd’hui, ce ne serait pas publié\u00a0: ${hold}`,
    unsure:
      'Les autres exécutions d’un achat, ' +
      'sa taille habituelle et l’effet sur la position ne sont pas pris en compte ici.',
  },
  unconfirmed:
    'Une autre entrée identique sera publiée quand les deux prochains relevés l’auront ' +
    'montrée aussi.',
});
