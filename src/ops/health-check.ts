import { type ListenAddress, originOf, readListenAddress } from '../lib/listen.ts';

/** Requests a bot's /healthz, or another page, at its HTTP_PORT; null if there is no response. */
export async function askHealth(
  { host, port }: ListenAddress,
  limitMs: number,
  page: 'healthz' | 'readyz' = 'healthz',
): Promise<Response | null> {
  const asked = ({ '0.0.0.0': '127.0.0.1', '::': '::1' } as Record<string, string>)[host] ?? host;
  const url = `${originOf({ host: asked, port })}/${page}`;
  return fetch(url, { signal: AbortSignal.timeout(limitMs), redirect: 'error' }).catch(() => null);
}

/**
 * Runs the container's health check: exit code 0 if the bot's /healthz responds with 2xx, else 1.
 * Without HTTP_PORT, or with 0, the bot serves no /healthz, so a running container counts as
 * healthy.
 */
export async function checkHealth(environment: NodeJS.ProcessEnv): Promise<number> {
  const address = readListenAddress(environment['HTTP_PORT'] ?? '');
  if (address === null || address.port === 0) return 0;
  const answer = await askHealth(address, 4_000);
  if (answer?.ok === true) return 0;
  return 1;
}
