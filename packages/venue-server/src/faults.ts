/** What an error says, whatever was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** What Node's `parseArgs` objects to, in a few words without a full stop. */
export function optionFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node explains this one over three lines, with a "-XYZ".
  const [, option] =
    /^Option '(--?[\w-]+)(?![\w-])[^']*' argument is ambiguous/.exec(error.message) ?? [];
  if (option !== undefined) return `The value of ${option} is missing, or begins with a hyphen`;
  return (error.message.split(/\. |\n/)[0] ?? '').replace(/\.$/, '');
}
