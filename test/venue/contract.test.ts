import {
  activityItemSchema as servedActivity,
  envelopeSchema as servedEnvelope,
  pageSchema as servedPage,
  transferItemSchema as servedTransfer,
} from '@walletbell/venue-server/records';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  activityItemSchema,
  envelopeSchema,
  pageSchema,
  transferItemSchema,
} from '../../src/domain/records.ts';

/** `any`: read by a schema of its own, once the fields beside it say by which one. */
type FieldType = 'any' | 'array' | 'boolean' | 'integer' | 'number' | 'string' | 'string or null';
type Fields = Readonly<Record<string, FieldType>>;

/** The tables of the venue's API: "Response envelope", "Page container" and those of the records. */
const ENVELOPE: Fields = { success: 'boolean', code: 'string', message: 'string', data: 'any' };
const PAGE: Fields = { items: 'array', nextCursor: 'string or null' };
const ACTIVITY: Fields = {
  time: 'integer',
  action: 'string',
  recordType: 'string',
  actionType: 'integer',
  price: 'number',
  quantity: 'number',
  fee: 'number',
  grossValue: 'number',
  transferNetAmount: 'number',
  txHash: 'string',
  tokenId: 'string',
  marketId: 'string',
  marketSlug: 'string',
  eventSlug: 'string',
  conditionId: 'string',
  marketTitle: 'string',
  positionSide: 'string',
  outcomeIndex: 'integer',
  logo: 'string',
  trader: 'string',
  liquidityRole: 'string or null',
};
const TRANSFER: Fields = {
  txHash: 'string',
  type: 'string',
  amount: 'number',
  time: 'integer',
  address: 'string',
};

const jsonSchema = z.object({
  properties: z.record(
    z.string(),
    z.object({ type: z.union([z.string(), z.array(z.string())]).default('any') }),
  ),
});

/** The fields of a schema and their types, in the words of the contract. */
function fieldsOf(schema: z.ZodType) {
  const { properties } = jsonSchema.parse(z.toJSONSchema(schema));
  const typed = Object.entries(properties).map(([name, { type }]) => [
    name,
    [type].flat().join(' or '),
  ]);
  return Object.fromEntries(typed);
}

describe('the fields of the contract', () => {
  it.each([
    ['an answer, as the bot reads it', envelopeSchema, ENVELOPE],
    ['an answer, as the venue server serves it', servedEnvelope, ENVELOPE],
    ['a page, as the bot reads it', pageSchema, PAGE],
    ['a page, as the venue server serves it', servedPage, PAGE],
    ['a trade, as the bot reads it', activityItemSchema, ACTIVITY],
    ['a trade, as the venue server serves it', servedActivity, ACTIVITY],
    ['a transfer, as the bot reads it', transferItemSchema, TRANSFER],
    ['a transfer, as the venue server serves it', servedTransfer, TRANSFER],
  ])('are those of %s, each of its type', (_name, schema, fields) => {
    expect(fieldsOf(schema)).toEqual(fields);
  });
});
