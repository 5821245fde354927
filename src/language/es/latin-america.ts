import type { Texts } from '../en/index.ts';
import { spanish } from './index.ts';
import { names, permissions } from './names.ts';

/** Where Latin America’s Discord calls something otherwise than Spain’s. */
const own = {
  names,
  permissions: { ...permissions, manageServer: 'Administrar servidor', manageThreads: 'Administrar hilos' },
};

const texts = (name: string | null): Texts => {
  const { commands, ...others } = spanish.texts(name, own);
  return { ...others, commands: { ...commands, languageName: 'Español (Latinoamérica)' } };
};

export const latinAmericanSpanish = { tag: 'es-419', texts } as const;
