import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WalletAddress } from '../address.ts';
import type { EndpointName } from '../records.ts';
import type { Position } from './page-query.ts';

const TIME_BYTES = 6;
const ID_BYTES = 6;
const SEAL_BYTES = 9;

/** How a place and its seal are written. `split` gives undefined for what is not written so. */
const TEXTS: Record<
  EndpointName,
  {
    readonly join: (position: Position, seal: Buffer) => string;
    readonly split: (
      text: string,
    ) => { readonly position: Position; readonly seal: Buffer } | undefined;
  }
> = {
  /**
   * Base64 text in the standard alphabet, so that a client which forgets to URL-encode is found out
   * here.
   */
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
 * Turns a place in a wallet's list into the text that clients carry, and back. Filters and limit
 * are not part of it: they may change on the way.
 */
export function createCursors(secret: Buffer) {
  /** Ties a place to its list, so that an invented cursor and one of another wallet are refused. */
  const sealOf = (list: EndpointName, wallet: WalletAddress, { timeSeconds, id }: Position) =>
    createHmac('sha256', secret)
      .update(`${list} ${wallet} ${timeSeconds} ${id}`)
      .digest()
      .subarray(0, SEAL_BYTES);
  return {
    encode: (list: EndpointName, wallet: WalletAddress, position: Position) =>
      TEXTS[list].join(position, sealOf(list, wallet, position)),
    /** @returns undefined if it was not made for this list of this wallet */
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
