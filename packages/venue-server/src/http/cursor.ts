import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WalletAddress } from '../address.ts';
import type { EndpointName } from '../records.ts';
import type { Position } from './page-query.ts';

const TIME_BYTES = 6;
const ID_BYTES = 6;
const SEAL_BYTES = 9;

/**
 * Text format of a position and its signature, per list. `split` returns undefined for text in
 * another format.
 */
const TEXTS: Record<
  EndpointName,
  {
    readonly join: (position: Position, seal: Buffer) => string;
    readonly split: (
      text: string,
    ) => { readonly position: Position; readonly seal: Buffer } | undefined;
  }
> = {
  /** Base64 in the standard alphabet, so that a client that forgets to URL-encode fails here. */
  activity: {
    join({ timeSeconds, id }, seal) {
      const place = Buffer.alloc(TIME_BYTES + ID_BYTES);
      place.writeUIntBE(timeSeconds, 0, TIME_BYTES);
      place.writeUIntBE(id, TIME_BYTES, ID_BYTES);
      return Buffer.concat([place, seal]).toString('base64');
    },
    split(text) {
      const bytes = Buffer.from(text, 'base64');
      if (
        bytes.length !== TIME_BYTES + ID_BYTES + SEAL_BYTES ||
        bytes.toString('base64') !== text
      ) {
        return undefined;
      }
      const position = {
        timeSeconds: bytes.readUIntBE(0, TIME_BYTES),
        id: bytes.readUIntBE(TIME_BYTES, ID_BYTES),
      };
      return { position, seal: bytes.subarray(TIME_BYTES + ID_BYTES) };
    },
  },
  /** Two parts joined by an underscore. */
  'deposits-withdrawals': {
    join: ({ timeSeconds, id }, seal) => `${timeSeconds}_${id.toString(16)}${seal.toString('hex')}`,
    split(text) {
      const [, time, id = '', seal = ''] =
        /^(\d{1,14})_([0-9a-f]{1,12})([0-9a-f]{18})$/.exec(text) ?? [];
      if (time === undefined) return undefined;
      return {
        position: { timeSeconds: Number(time), id: Number.parseInt(id, 16) },
        seal: Buffer.from(seal, 'hex'),
      };
    },
  },
};

/**
 * Converts a position in a wallet's list to the cursor that clients send back, and vice versa. The
 * cursor doesn't contain filters and limit, which may change between pages.
 */
export function createCursors(secret: Buffer) {
  /**
   * Signs a position with its list and wallet, so that invented cursors and those of another wallet
   * are rejected.
   */
  const sealOf = (list: EndpointName, wallet: WalletAddress, { timeSeconds, id }: Position) =>
    createHmac('sha256', secret)
      .update(`${list} ${wallet} ${timeSeconds} ${id}`)
      .digest()
      .subarray(0, SEAL_BYTES);
  return {
    encode: (list: EndpointName, wallet: WalletAddress, position: Position) =>
      TEXTS[list].join(position, sealOf(list, wallet, position)),
    /** @returns undefined if the cursor was not issued for this list of this wallet */
    decode(list: EndpointName, wallet: WalletAddress, text: string): Position | undefined {
      const found = TEXTS[list].split(text);
      if (
        found === undefined ||
        !timingSafeEqual(found.seal, sealOf(list, wallet, found.position))
      ) {
        return undefined;
      }
      return found.position;
    },
  };
}
