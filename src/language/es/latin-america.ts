import { type Texts, textsOf } from '../texts.ts';
import * as spanish from './index.ts';
import { names, permissions } from './names.ts';

/** Names that Latin America has otherwise than Spain: of commands, and of Discord’s permissions. */
const own = {
  names: { ...names, subcommands: { ...names.subcommands, add: 'agregar' } },
  permissions: {
    ...permissions,
    manageServer: 'Administrar servidor',
    manageThreads: 'Administrar hilos',
  },
};

/**
 * The Spanish texts avoid what only Spain says (“añade”, “ha cambiado”), so that few are left that
 * Latin America says otherwise.
 */
export const texts = (name: string | null): Texts => {
  const { commands, format, personal, watch, ...others } = textsOf(spanish)(name, own);
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
