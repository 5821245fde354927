/**
 * Creates a store backed by a map, for parts that write their own documents. As on a disk, a
 * document is JSON, and nothing changes it afterwards.
 *
 * @param hooks called at each read, before each write and after it; one that throws rejects it
 */
export function documentStore(
  documents = new Map<string, unknown>(),
  hooks: Partial<Readonly<Record<'onRead' | 'onWrite' | 'onWritten', () => void>>> = {},
) {
  const write = async (change: () => void): Promise<void> => {
    hooks.onWrite?.();
    change();
    hooks.onWritten?.();
  };
  return {
    documents,
    async get(key: string): Promise<unknown> {
      hooks.onRead?.();
      return structuredClone(documents.get(key));
    },
    set: (key: string, document: unknown) =>
      write(() => void documents.set(key, JSON.parse(JSON.stringify(document)))),
    delete: (key: string) => write(() => void documents.delete(key)),
  };
}
