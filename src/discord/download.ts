import { request } from 'undici';
import { UserError } from '../language/user-error.ts';

const TIME_LIMIT_MS = 10_000;

/**
 * Downloads a file that a person has attached.
 *
 * @throws {UserError} with the reason, for example that it is too large
 */
export async function downloadAttachment(url: string, limitBytes: number): Promise<Uint8Array> {
  try {
    const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    if (statusCode !== 200) {
      await body.dump();
      throw new UserError(({ texts }) => texts.errors.file.refused(statusCode));
    }
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) continue;
      sizeBytes += chunk.byteLength;
      if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof UserError) throw error;
    // Network faults, undici's own errors and time-outs have a code; an error without one is a bug.
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new UserError(({ texts }) => texts.errors.file.late, { cause: error });
  }
}

export function tooLarge(limitBytes: number): UserError {
  return new UserError(({ texts }) => texts.errors.file.tooLarge(Math.floor(limitBytes / 1024)));
}
