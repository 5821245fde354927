import { createHmac } from 'node:crypto';

/** Prefix of a secret in the Standard Webhooks specification; the rest is base64. */
const SECRET_PREFIX = 'whsec_';
/** Length of a secret in the specification, in bytes. */
const SECRET_LEAST = 24;
const SECRET_MOST = 64;

/** Headers of one attempt to deliver a message. */
type SignedHeaders = Readonly<
  Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>
>;

/**
 * Reads a secret.
 *
 * @returns null if it is not `whsec_` and base64 of 24 to 64 bytes
 */
export function readSecret(text: string): Buffer | null {
  if (!text.startsWith(SECRET_PREFIX)) return null;
  const encoded = text.slice(SECRET_PREFIX.length);
  const key = Buffer.from(encoded, 'base64');
  const isWhole = key.toString('base64').replace(/={1,2}$/, '') === encoded.replace(/={1,2}$/, '');
  return isWhole && key.length >= SECRET_LEAST && key.length <= SECRET_MOST ? key : null;
}

/**
 * Signs a message by the Standard Webhooks specification. Each attempt is signed anew, because a
 * receiver rejects an old timestamp.
 *
 * @param keys one, or two while the secret is being replaced; a receiver accepts either signature
 * @param nowMs time by this machine's clock, in epoch ms
 */
export function signed(
  id: string,
  body: string,
  keys: readonly Buffer[],
  nowMs: number,
): SignedHeaders {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = keys.map((key) => {
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    return `v1,${digest.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
