import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WalletAddress } from '../domain/address.ts';
import type { Position } from './page-query.ts';

/** Turns a place in a wallet's list into the text that clients carry, and back. */
export interface CursorCodec {
  encode(wallet: WalletAddress, position: Position): string;
  /** undefined: not a cursor that this codec made for this wallet. */
  decode(wallet: WalletAddress, text: string): Position | undefined;
}

const TIME_BYTES = 6;
const ID_BYTES = 6;
const SEAL_BYTES = 9;

/**
 * Cursor of the activity endpoint: base64 text (standard alphabet, so that a client which forgets to URL-encode is
 * found out here). Filters and limit are not part of it: they may change on the way.
 */
export function activityCursor(secret: Buffer): CursorCodec {
  return {
    encode: (wallet, position) =>
      Buffer.concat([packed(position), seal(secret, 'activity', wallet, position)]).toString('base64'),
    decode(wallet, text) {
      const bytes = Buffer.from(text, 'base64');
      if (bytes.length !== TIME_BYTES + ID_BYTES + SEAL_BYTES || bytes.toString('base64') !== text) return undefined;
      const position = {
        timeSeconds: bytes.readUIntBE(0, TIME_BYTES),
        id: bytes.readUIntBE(TIME_BYTES, ID_BYTES),
      };
      const given = bytes.subarray(TIME_BYTES + ID_BYTES);
      return timingSafeEqual(given, seal(secret, 'activity', wallet, position)) ? position : undefined;
    },
  };
}

/** Cursor of the deposits and withdrawals endpoint: two parts joined by an underscore. */
export function transfersCursor(secret: Buffer): CursorCodec {
  return {
    encode(wallet, position) {
      const mark = seal(secret, 'deposits-withdrawals', wallet, position).toString('hex');
      return `${position.timeSeconds}_${position.id.toString(16)}${mark}`;
    },
    decode(wallet, text) {
      const match = /^(\d{1,14})_([0-9a-f]{1,12})([0-9a-f]{18})$/.exec(text);
      if (match === null) return undefined;
      const position = { timeSeconds: Number(match[1]), id: Number.parseInt(match[2] ?? '', 16) };
      const given = Buffer.from(match[3] ?? '', 'hex');
      return timingSafeEqual(given, seal(secret, 'deposits-withdrawals', wallet, position)) ? position : undefined;
    },
  };
}

function packed(position: Position): Buffer {
  const bytes = Buffer.alloc(TIME_BYTES + ID_BYTES);
  bytes.writeUIntBE(position.timeSeconds, 0, TIME_BYTES);
  bytes.writeUIntBE(position.id, TIME_BYTES, ID_BYTES);
  return bytes;
}

/** Ties a place to its list, so that an invented cursor and one of another wallet are refused. */
function seal(secret: Buffer, list: string, wallet: WalletAddress, position: Position): Buffer {
  return createHmac('sha256', secret)
    .update(`${list} ${wallet} ${position.timeSeconds} ${position.id}`)
    .digest()
    .subarray(0, SEAL_BYTES);
}
