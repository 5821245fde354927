import type { IncomingMessage } from 'node:http';
import { invalidForm, refusals } from '../refusal.ts';

/** Largest request, including files (reference.mdx, "Uploading Files"). */
const MAX_REQUEST_BYTES = 25 * 1024 * 1024;
/** Largest single file in a server without boosts. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

export interface UploadedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly data: Uint8Array;
}

export interface RequestBody {
  /** `{}` if nothing was sent. */
  readonly json: unknown;
  /** Files by the number in `files[n]`. */
  readonly files: ReadonlyMap<string, UploadedFile>;
}

/**
 * Reads the bytes of a request.
 *
 * @throws Refusal 413/40005 above 25 MiB
 */
export async function collect(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.byteLength;
    if (size <= MAX_REQUEST_BYTES) chunks.push(chunk);
  }
  if (size > MAX_REQUEST_BYTES) throw refusals.requestTooLarge();
  return Buffer.concat(chunks);
}

/**
 * Parses JSON, or a multipart body with `payload_json` and `files[n]`.
 *
 * @throws Refusal 50109 for broken JSON, 50035 for another content type, 50045 for a file over 10
 *   MiB, 30015 for more than ten files
 */
export async function readBody(contentType: string, bytes: Buffer): Promise<RequestBody> {
  if (bytes.byteLength === 0) return { json: {}, files: new Map() };
  if (/^application\/json\b/i.test(contentType)) {
    return { json: parse(bytes.toString('utf8')), files: new Map() };
  }
  if (/^multipart\/form-data\b/i.test(contentType)) return readMultipart(contentType, bytes);
  throw invalidForm({
    path: ['_misc'],
    code: 'CONTENT_TYPE_INVALID',
    message:
      "Expected \"Content-Type\" header to be one of {'application/json', 'multipart/form-data'}.",
  });
}

async function readMultipart(contentType: string, bytes: Buffer): Promise<RequestBody> {
  const form = await new Response(bytes, { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => null);
  if (form === null) throw refusals.invalidJson();
  let json: unknown = {};
  const files = new Map<string, UploadedFile>();
  for (const [name, value] of form) {
    if (name === 'payload_json') {
      json = parse(
        typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('utf8'),
      );
      continue;
    }
    const number = /^files\[(\d{1,9})\]$/.exec(name)?.[1];
    if (number === undefined || typeof value === 'string') continue;
    const data = new Uint8Array(await value.arrayBuffer());
    if (data.byteLength > MAX_FILE_BYTES) throw refusals.fileTooLarge();
    files.set(number, {
      filename: value.name,
      contentType: contentTypeOf(value.name, value.type),
      data,
    });
  }
  if (files.size > 10) throw refusals.tooManyAttachments();
  return { json, files };
}

const TYPES_BY_EXTENSION: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  csv: 'text/csv',
  json: 'application/json',
  txt: 'text/plain',
};

/** Returns the content type sent with the file, or otherwise the type of its extension. */
export function contentTypeOf(filename: string, given: string | undefined): string {
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
  const isSpecific = given !== undefined && given !== '' && given !== 'application/octet-stream';
  return isSpecific ? given : (TYPES_BY_EXTENSION[extension] ?? 'application/octet-stream');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusals.invalidJson();
  }
}
