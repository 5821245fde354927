import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';

const OPENSSL = 'openssl';
const EC_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Creates a certificate authority for the test; returns paths of certificates and keys. */
export function createAuthority(folder: string, name: string) {
  const openssl = (...args: string[]) =>
    execFileSync(OPENSSL, args, { cwd: folder, stdio: 'ignore' });
  const path = (file: string) => join(folder, file);
  const own = { certificate: path(`${name}.pem`), key: path(`${name}.key`) };
  const made = `-keyout ${own.key} -out ${own.certificate} -subj /CN=${name} -days 2`;
  openssl('req', '-x509', ...EC_KEY, ...made.split(' '));
  return {
    /** The authority's own certificate. */
    ca: own.certificate,
    /** @param days validity; a negative number means expired for that many days */
    issue(subject: string, subjectAltName: string, days = 2) {
      const issued = { certificate: path(`${subject}.pem`), key: path(`${subject}.key`) };
      const request = path(`${subject}.csr`);
      const named = ['-subj', `/CN=${subject}`, '-addext', `subjectAltName=${subjectAltName}`];
      openssl('req', '-new', ...EC_KEY, '-keyout', issued.key, '-out', request, ...named);
      const signer = `-CA ${own.certificate} -CAkey ${own.key} -CAcreateserial -copy_extensions copy`;
      const signed = `-in ${request} ${signer} -days ${days} -out ${issued.certificate}`;
      openssl('x509', '-req', ...signed.split(' '));
      return issued;
    },
  };
}

/** Creates an account of a NATS server in operator mode, with credentials files for its users. */
export function createNatsAccount(folder: string) {
  const operator = nkeys.createOperator();
  const account = nkeys.createAccount();
  const isUnlimited = { subs: -1, data: -1, payload: -1 };
  // JetStream requires a separate system account.
  const system = nkeys.createAccount();
  const accountToken = token(operator, account.getPublicKey(), 'account', {
    limits: {
      ...isUnlimited,
      ...{
        imports: -1,
        exports: -1,
        conn: -1,
        leaf: -1,
        wildcards: true,
        mem_storage: -1,
        disk_storage: -1,
      },
    },
  });
  const configuration = join(folder, 'operator.conf');
  const operatorToken = token(operator, operator.getPublicKey(), 'operator', {});
  writeFileSync(
    configuration,
    [
      `operator: ${operatorToken}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      `resolver_preload: { ${system.getPublicKey()}: ${token(operator, system.getPublicKey(), 'account', {})}, ${account.getPublicKey()}: ${accountToken} }`,
    ].join('\n'),
  );
  return {
    /** The server's configuration file. */
    configuration,
    /** @returns the path of a credentials file, and its seed */
    user(name: string, expiresSeconds?: number) {
      const user = nkeys.createUser();
      const seed = Buffer.from(user.getSeed()).toString();
      const jwt = token(account, user.getPublicKey(), 'user', { ...isUnlimited }, expiresSeconds);
      const file = join(folder, `${name}.creds`);
      writeFileSync(
        file,
        `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
      );
      return { file, seed };
    },
  };
}

/** Returns a JWT in the format of NATS (its documentation, "JWT Guide"). */
function token(
  issuer: ReturnType<typeof nkeys.createAccount>,
  subject: string,
  type: string,
  claims: object,
  expiresSeconds?: number,
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const nowSeconds = Math.floor(Date.now() / 1000);
  const body = {
    jti: `${type}-${subject}`,
    iat: nowSeconds,
    ...(expiresSeconds === undefined ? {} : { exp: expiresSeconds }),
    iss: issuer.getPublicKey(),
    name: type,
    sub: subject,
    nats: { ...claims, type, version: 2 },
  };
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(body)}`;
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`;
}
