import * as z from 'zod';
import {
  activityParametersSchema,
  servedActivitySchema,
  servedTransferSchema,
  transfersParametersSchema,
} from './contract.ts';
import { type EndpointName, envelopeSchema, pageSchema } from './records.ts';

const RATE_HEADERS = {
  'X-RateLimit-Limit': 'total requests allowed per window',
  'X-RateLimit-Remaining': 'requests left in the current window',
  'X-RateLimit-Reset': 'Unix timestamp, seconds, at which the window resets',
};

const FAULTS: Readonly<Record<string, string>> = {
  '400':
    'an address, parameter or cursor that cannot be used; the message names it and what it accepts',
  '401': 'the API key is missing, malformed, unknown or revoked',
  '403': 'the key is valid but its plan does not include this endpoint',
  '404': 'there is no such path',
  '405': 'another method than GET',
  '414': 'an address that is too long',
  '429': 'the key exceeded the rate limit of the current window: wait until X-RateLimit-Reset',
  '500': 'a fault of the venue; its log says more',
};

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * @param io `output` describes parameters as the venue understands them, `input` describes
 *   responses as a client may find them
 */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}

/**
 * Returns the OpenAPI 3.1 description of the interface, generated from the schemas that the venue
 * itself uses.
 */
export function describeInterface(): unknown {
  const headers = Object.fromEntries(
    Object.keys(RATE_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const envelope = (data: JsonSchema, success: boolean) => ({
    allOf: [
      { $ref: '#/components/schemas/Envelope' },
      { type: 'object', properties: { success: { const: success }, data } },
    ],
  });
  const answer = (description: string, schema: unknown) => ({
    description,
    headers,
    content: { 'application/json': { schema } },
  });
  const page = (name: string) =>
    ({
      ...jsonSchema(pageSchema, 'input'),
      properties: {
        ...jsonSchema(pageSchema, 'input').properties,
        items: {
          type: 'array',
          items: { $ref: `#/components/schemas/${name}` },
          description: 'records, newest first',
        },
      },
    }) as const;

  const operation = (name: string, summary: string, item: string, parameters: z.ZodType) => ({
    get: {
      operationId: name,
      summary,
      parameters: [
        {
          name: 'address',
          in: 'path',
          required: true,
          description:
            'a wallet address: 0x and 40 hex digits; mixed case must carry a right EIP-55 checksum',
          schema: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
        },
        ...queryParameters(parameters),
      ],
      responses: {
        '200': answer('one page, newest first', envelope(page(item), true)),
        ...Object.fromEntries(
          Object.entries(FAULTS).map(([status, text]) => [
            status,
            answer(text, envelope({ type: 'null' }, false)),
          ]),
        ),
      },
    },
  });

  return {
    openapi: '3.1.0',
    info: {
      title: 'Trader activity and transfers',
      version: '1',
      description:
        'Trading history and USDC deposits and withdrawals of a wallet on a prediction-market venue. Read-only; prices are in cents.',
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths: {
      '/v1/trader/{address}/activity': operation(
        'activity',
        "A wallet's Buy, Sell and Redeem history across all markets, newest first",
        'ActivityItem',
        activityParametersSchema,
      ),
      '/v1/trader/{address}/deposits-withdrawals': operation(
        'depositsWithdrawals',
        'One combined list of the USDC deposits and withdrawals of a wallet, newest first',
        'TransferItem',
        transfersParametersSchema,
      ),
    } satisfies Readonly<Record<`/v1/trader/{address}/${EndpointName}`, unknown>>,
    components: {
      headers: Object.fromEntries(
        Object.entries(RATE_HEADERS).map(([name, description]) => [
          name,
          { description, required: true, schema: { type: 'integer' } },
        ]),
      ),
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Envelope: jsonSchema(envelopeSchema, 'input'),
        ActivityItem: jsonSchema(servedActivitySchema, 'input'),
        TransferItem: jsonSchema(servedTransferSchema, 'input'),
      },
    },
  };
}

function queryParameters(schema: z.ZodType): unknown[] {
  const { properties = {} } = jsonSchema(schema, 'output');
  return Object.entries(properties).map(([name, described]) => {
    if (typeof described === 'boolean') return { name, in: 'query', schema: described };
    const { description, ...rest } = described;
    return {
      name,
      in: 'query',
      description,
      schema: rest,
      ...(rest.type === 'array' ? { style: 'form', explode: true } : {}),
    };
  });
}
