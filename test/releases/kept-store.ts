import {
  stateSchemas,
  storedAlertSchema,
  WALLET_PREFIX,
} from '../../src/alerts/wallets/wallet-document.ts';
import { DOCUMENT_KINDS, faultsOf } from '../../src/app/documents/kinds.ts';
import { SHARED_LEARNING_KEY } from '../../src/feed/learning.ts';
import { createSchedule } from '../../src/poll-policy/schedule.ts';
import { FULL_WORLD, worldDocuments } from '../support/stored-world.ts';
import { samplesOf } from './samples.ts';

type Document = Record<string, unknown>;

/** Parts of a key, as the documents name them. */
const IDS: Readonly<Record<string, readonly string[]>> = {
  'watch:': ['channelId', 'wallet'],
  'channel:': ['channelId'],
  'digest:': ['channelId'],
  'verdict:': ['channelId', 'wallet'],
  'details:': ['channelId', 'wallet', 'reference'],
  'import:': ['ownerId'],
  'changes:': ['ownerId'],
  'welcome:': ['guildId'],
  'resting:': ['ownerId'],
  'person:': ['personId'],
};
/** Ids of which each sample gets its own: servers, persons and channels. */
const OWN = ['channelId', 'ownerId', 'guildId', 'personId'];

const snowflake = (number: number) => String(1_300_000_000_000_000_000n + BigInt(number));
const wallet = (number: number) => `0x${(0xfeed_0000 + number).toString(16).padStart(40, '0')}`;

/**
 * The documents of a store that holds all there is: a world whose documents fit together, and of
 * each kind documents with every optional part, without any, and with each choice.
 *
 * @throws {Error} names a document that today's program could not read
 */
export function keptDocuments(): ReadonlyMap<string, unknown> {
  const documents = new Map(worldDocuments({ ...FULL_WORLD, isOld: true }));
  let number = 0;
  const add = (prefix: string, sample: unknown) => {
    number += 1;
    const [key, document] = placed(prefix, sample, number);
    const faults = faultsOf(key, document);
    if (faults.length > 0) throw new Error(`${key} cannot be read: ${faults.join('; ')}`);
    documents.set(key, document);
  };
  // Figures of the poll policy, which say nothing to the schema.
  documents.set(SHARED_LEARNING_KEY, createSchedule({ pollMinSeconds: 1 }).sharedLearning());
  for (const { prefix, schema } of DOCUMENT_KINDS) {
    if (prefix === SHARED_LEARNING_KEY) continue;
    const samples = prefix === WALLET_PREFIX ? walletSamples() : samplesOf(schema);
    // There is one document under a key without an end: the one with every part.
    const kept = prefix.endsWith(':') ? samples : samples.slice(0, 1);
    for (const sample of kept) add(prefix, sample);
  }
  return documents;
}

function walletSamples(): readonly unknown[] {
  const parts = Object.entries(stateSchemas).map(
    ([name, schema]) => [name, samplesOf(schema)] as const,
  );
  const count = Math.max(...parts.map(([, samples]) => samples.length));
  const states = Array.from({ length: count }, (_, row) =>
    Object.fromEntries(parts.map(([name, samples]) => [name, samples[row % samples.length]])),
  );
  const alerts = samplesOf(storedAlertSchema).map((alert, index) => ({
    ...(alert as Document),
    id: `alert${index}`,
  }));
  return [
    ...states.map((state, row) => ({ state, outbox: row === 0 ? alerts : [] })),
    { state: {}, outbox: [] },
  ];
}

/** A sample with ids of its own, under its key. */
function placed(prefix: string, sample: unknown, number: number): readonly [string, unknown] {
  if (prefix === 'later:alerts-') {
    const document = withOwnIds(sample as Document, number);
    return [`${prefix}${document['ownerId']}:${number}`, document];
  }
  if (prefix === 'later:') {
    const document = withOwnIds(sample as Document, number);
    return [`${prefix}${document['channelId'] ?? document['ownerId']}:${number}`, document];
  }
  if (!prefix.endsWith(':')) return [prefix, sample];
  const ids = IDS[prefix];
  if (ids !== undefined) {
    const document = withOwnIds(sample as Document, number);
    return [prefix + ids.map((name) => String(document[name])).join(':'), document];
  }
  if (prefix === 'dead:') {
    const letter = sample as { readonly alert: Document };
    const alert: Document = { ...letter.alert, channelId: snowflake(number) };
    const end = `${alert['channelId']}:${alert['wallet']}:${alert['id']}`;
    return [prefix + end, { ...letter, alert }];
  }
  if (prefix === WALLET_PREFIX || prefix === 'schedule:') return [prefix + wallet(number), sample];
  if (prefix === 'queue:' || prefix === 'notice:') return [prefix + snowflake(number), sample];
  return [`${prefix}${number}`, sample];
}

function withOwnIds(sample: Document, number: number): Document {
  const document = { ...sample };
  for (const name of OWN) {
    if (typeof document[name] !== 'string') continue;
    const sign = document[name].startsWith('@') ? '@' : '';
    document[name] = sign + snowflake(number);
  }
  return document;
}
