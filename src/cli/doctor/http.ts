import { once } from 'node:events';
import { createServer } from 'node:net';
import * as z from 'zod';
import { askHealth } from '../../ops/health-check.ts';
import { ListenError } from '../../ops/http.ts';
import { type Finding, fail, ok } from './finding.ts';

const ANSWER_LIMIT_MS = 2_000;

/** What /healthz of a walletbell says. */
const healthSchema = z.object({ ok: z.boolean(), eventLoopDelayMs: z.number(), uptimeSeconds: z.number() });

/**
 * Whether HTTP_HOST and HTTP_PORT can be listened on.
 *
 * @param isBotRunning a walletbell has the store open: it may well be the one that listens there
 */
export async function checkHttp(
  { host, port }: { readonly host: string; readonly port: number },
  isBotRunning: boolean,
): Promise<readonly Finding[]> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return [];
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'EADDRINUSE' && isBotRunning && (await isWalletbell(host, port))) {
      return [ok('http', `HTTP_PORT ${port} is served by the running walletbell, which is as it should be.`)];
    }
    const reason = code === 'EADDRINUSE' ? 'another program has the port' : code;
    return [fail('http', new ListenError(host, port, reason).message)];
  } finally {
    server.close();
  }
}

async function isWalletbell(host: string, port: number): Promise<boolean> {
  const answer = await askHealth(host, port, ANSWER_LIMIT_MS);
  // Whoever answers otherwise is none.
  return healthSchema.safeParse(await answer?.json().catch(() => null)).success;
}
