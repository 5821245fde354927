/** Options that a bench cannot understand: the person who typed them is told, and how they are written. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Whether an error is about what was typed: ours, or that of `parseArgs`. */
export function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('ERR_PARSE_ARGS_')
  );
}
