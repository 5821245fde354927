/** Creates a store backed by a map, for parts that write their own documents. */
export function documentStore() {
  const documents = new Map<string, unknown>();
  return {
    documents,
    get: async (key: string) => documents.get(key),
    set: async (key: string, document: unknown) => void documents.set(key, document),
    delete: async (key: string) => void documents.delete(key),
  };
}
