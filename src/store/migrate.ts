/** Makes a document of the version after out of one of the version before. */
export type Migration = (key: string, document: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/**
 * Brings a document up to the present. Each carries its version, so that a crash in the middle of a migration leaves
 * nothing half done: what has been brought up is not touched again.
 *
 * @param migrations the first leads from version 1 to 2, and so on
 * @returns the very same document if there is nothing to do, or if it carries no version
 */
export function migrateDocument(key: string, document: unknown, migrations: readonly Migration[]): unknown {
  let migrated = document;
  for (const [index, migration] of migrations.entries()) {
    if (!isVersioned(migrated) || migrated.version !== index + 1) continue;
    migrated = { ...migration(key, migrated), version: index + 2 };
  }
  return migrated;
}

function isVersioned(document: unknown): document is Readonly<Record<string, unknown>> & { readonly version: number } {
  return (
    typeof document === 'object' && document !== null && 'version' in document && typeof document.version === 'number'
  );
}
