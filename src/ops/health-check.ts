const TIME_LIMIT_MS = 4_000;

/**
 * The container's health check: exit code 0 if the bot's /healthz answers 2xx, else 1. Without HTTP_PORT, or with 0, the bot
 * serves no /healthz: then a container that runs is taken as healthy.
 */
export async function checkHealth(environment: Readonly<Record<string, string | undefined>>): Promise<number> {
  const port = Number(environment['HTTP_PORT']?.trim() || 0);
  if (port === 0) return 0;
  const bound = environment['HTTP_HOST']?.trim() || '127.0.0.1';
  const host = ({ '0.0.0.0': '127.0.0.1', '::': '::1' } as Record<string, string>)[bound] ?? bound;
  try {
    const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`;
    const { ok } = await fetch(address, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    return ok ? 0 : 1;
  } catch {
    // No answer: not healthy.
    return 1;
  }
}
