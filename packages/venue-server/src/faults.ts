/** Returns the message of anything that was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Returns the objection of Node's `parseArgs`, in a few words without a full stop. */
export function optionFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node's text for this error has three lines and an unhelpful "-XYZ".
  const [, option] =
    /^Option '(--?[\w-]+)(?![\w-])[^']*' argument is ambiguous/.exec(error.message) ?? [];
  if (option !== undefined) return `The value of ${option} is missing, or begins with a hyphen`;
  return (error.message.split(/\. |\n/)[0] ?? '').replace(/\.$/, '');
}
