import { type TextsFor, textsOf } from '../texts.ts';
import * as spanish from './index.ts';
import { names, permissions } from './names.ts';

/** Names that differ between Latin America and Spain: of commands, and of Discord’s permissions. */
const own = {
  names: { ...names, subcommands: { ...names.subcommands, add: 'agregar' } },
  permissions: {
    ...permissions,
    manageServer: 'Administrar servidor',
    manageThreads: 'Administrar hilos',
  },
};

/**
 * Texts for Latin America. The Spanish texts avoid words that only Spain uses (“añade”, “ha
 * cambiado”), so that few texts have to differ.
 */
export const texts: TextsFor = (name, options) => {
  const { commands, format, personal, watch, ...others } = textsOf(spanish)(name, options, own);
  const { changes } = watch;
  const deeds = { ...changes.deeds, added: 'agregada' };
  const { refused } = personal;
  const closed = refused.closed.replace('Ajustes de privacidad', 'Configuración de privacidad');
  return {
    ...others,
    commands: { ...commands, languageName: 'Español (Latinoamérica)' },
    format: { ...format, cents: (figure) => `${figure}¢` },
    personal: { ...personal, refused: { ...refused, closed } },
    watch: { ...watch, changes: { ...changes, deeds } },
  };
};
