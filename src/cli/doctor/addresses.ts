import { BlockList, isIP } from 'node:net';
import * as z from 'zod';
import { type ListenAddress, listenFault } from '../../lib/listen.ts';
import { parseUrl } from '../../lib/text/url.ts';
import { askHealth } from '../../ops/health-check.ts';
import { ListenError } from '../../ops/http.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Addresses of this machine or its own network. */
const PRIVATE = new BlockList();
const IPV4 = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'];
for (const range of [...IPV4, '::1/128', 'fc00::/7', 'fe80::/10']) {
  const [network = '', prefix] = range.split('/');
  PRIVATE.addSubnet(network, Number(prefix), isIP(network) === 4 ? 'ipv4' : 'ipv6');
}
/**
 * Names that no public name server resolves (RFC 6761, 6762, 8375; `internal` is reserved by
 * ICANN).
 */
const PRIVATE_NAME = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa|test)$/;

/** Secrets that each variable's connections send in clear text if they are not encrypted. */
const CARRIES = {
  VENUE_BASE_URL: 'the key is',
  DISCORD_API_URL: 'the bot’s token is',
  HEARTBEAT_URL: 'its secret address is',
  NATS_URL: 'password and pages are',
  STORE_URL: 'password and documents are',
} as const;

/** Unencrypted protocols, each with its encrypted form. */
const ENCRYPTED: Readonly<Record<string, string>> = {
  'http:': 'https:',
  'nats:': 'tls:',
  'redis:': 'rediss:',
};
const POSTGRES = /^postgres(?:ql)?:$/;
/** Values of `sslmode` with which `pg` encrypts and verifies the server. */
const VERIFIED: readonly string[] = ['prefer', 'require', 'verify-ca', 'verify-full'];

/** Warns of addresses that send a secret unencrypted to another machine. */
export function checkAddresses(
  addresses: Readonly<Partial<Record<keyof typeof CARRIES, string | null>>>,
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [name, carries] of Object.entries(CARRIES)) {
    const url = parseUrl(addresses[name as keyof typeof CARRIES] ?? '');
    const flaw = url === undefined ? null : flawOf(url, carries);
    if (flaw !== null) findings.push(warn('variables', `${name} ${flaw}`));
  }
  return findings;
}

/**
 * Returns why traffic to an address can be intercepted, and what to do; null if it cannot.
 *
 * @param carries secrets that are exposed
 */
function flawOf({ protocol, hostname, searchParams }: URL, carries: string): string | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  const isPrivate =
    version === 0 ? PRIVATE_NAME.test(host) : PRIVATE.check(host, version === 4 ? 'ipv4' : 'ipv6');
  if (isPrivate) return null;
  const readable = `${carries} readable on the way.`;
  if (protocol in ENCRYPTED) {
    return `begins with ${protocol}//: ${readable} Use ${ENCRYPTED[protocol]}//.`;
  }
  const mode = searchParams.get('sslmode');
  if (!POSTGRES.test(protocol) || VERIFIED.includes(mode ?? '')) return null;
  const found = mode === null ? 'no sslmode' : `sslmode=${mode}`;
  return `has ${found}: ${readable} Add ?sslmode=verify-full.`;
}

const ANSWER_LIMIT_MS = 2_000;

/** Response of a walletbell's /healthz. */
const healthSchema = z.object({
  ok: z.boolean(),
  eventLoopDelayMs: z.number(),
  uptimeSeconds: z.number(),
});

/** The part of /readyz in which a running bot reports that another process uses its token. */
const readySchema = z.object({
  checks: z.object({ gateway: z.object({ ok: z.literal(true), reason: z.string() }) }),
});

/** Returns the running bot's remark on its connection to Discord: that its token is shared. */
async function sharedToken(address: ListenAddress): Promise<readonly Finding[]> {
  const answer = await askHealth(address, ANSWER_LIMIT_MS, 'readyz');
  const report = readySchema.safeParse(await answer?.json().catch(() => null)).data;
  return report === undefined ? [] : [warn('token', report.checks.gateway.reason)];
}

/**
 * Checks whether HTTP_PORT can be listened on.
 *
 * @param isBotRunning true if the present listener may be that bot
 */
export async function checkHttp(
  address: ListenAddress,
  isBotRunning: boolean,
): Promise<readonly Finding[]> {
  const code = await listenFault(address);
  if (code === null) return [];
  const mayBeBot = isBotRunning && code === 'EADDRINUSE';
  const answer = mayBeBot ? await askHealth(address, ANSWER_LIMIT_MS) : null;
  // A listener with any other response is another program.
  if (healthSchema.safeParse(await answer?.json().catch(() => null)).success) {
    return [
      ok(
        'http',
        `HTTP_PORT ${address.port} is served by the running walletbell, which is as it should be.`,
      ),
      ...(await sharedToken(address)),
    ];
  }
  const reason = code === 'EADDRINUSE' ? 'another program has the port' : code;
  return [fail('http', new ListenError(address, reason).message)];
}
