import { type Texts, textsOf } from '../texts.ts';
import * as spanish from './index.ts';
import { names, permissions } from './names.ts';

/** Names that Latin America’s Discord has otherwise than Spain’s. */
const own = {
  names,
  permissions: {
    ...permissions,
    manageServer: 'Administrar servidor',
    manageThreads: 'Administrar hilos',
  },
};

export const texts = (name: string | null): Texts => {
  const { commands, ...others } = textsOf(spanish)(name, own);
  return { ...others, commands: { ...commands, languageName: 'Español (Latinoamérica)' } };
};
