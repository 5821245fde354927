import type { WalletAddress } from '../venue/address.ts';
import type { EndpointName } from '../venue/schema.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';
import { grownUint8, grownUint32 } from './columns.ts';

/** Maps endpoints to small numbers (slots), so that what is known of an endpoint can live in typed arrays. */
export interface SlotTable {
  /** The slot of an endpoint, −1 if it is not here. */
  find(wallet: WalletAddress, name: EndpointName): number;
  /** Gives an endpoint that is not here a slot: a freed one if there is one, else the next. */
  insert(wallet: WalletAddress, name: EndpointName): number;
  /** Frees a slot that is in use for another endpoint. */
  release(slot: number): void;
  wallet(slot: number): WalletAddress;
  /** Endpoints of this name. */
  count(name: EndpointName): number;
  /** One more than the highest slot that was ever in use. */
  readonly end: number;
}

/** An address is 20 bytes: so many words of 8 hex digits. */
const WORDS = 5;
const DIGITS = 8;
const GONE = 255;

/**
 * A hash table with open addressing and linear probing. It holds the bytes of the addresses, a quarter of what strings
 * and a `Map` of them take. `entries` has a slot + 1 at the place of its hash or after it, 0 where nothing is.
 */
export function createSlotTable(): SlotTable {
  let entries = new Int32Array(16);
  let texts = new Uint32Array(0);
  let names = new Uint8Array(0);
  const sought = new Uint32Array(WORDS);
  const counts = ENDPOINT_NAMES.map(() => 0);
  const free: number[] = [];
  let end = 0;

  function readAddress(wallet: WalletAddress): void {
    for (let word = 0; word < WORDS; word += 1) {
      let bits = 0;
      for (let digit = 0; digit < DIGITS; digit += 1) {
        const code = wallet.charCodeAt(2 + word * DIGITS + digit);
        // '0' to '9' end in their own value, 'a' to 'f' in theirs less 9.
        bits = (bits << 4) | ((code & 15) + (code > 57 ? 9 : 0));
      }
      sought[word] = bits;
    }
  }

  function placeOf(of: Uint32Array, from: number, name: number): number {
    let hash = name;
    for (let word = 0; word < WORDS; word += 1) {
      hash = Math.imul(hash ^ (of[from + word] ?? 0), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash & (entries.length - 1);
  }

  const after = (place: number): number => (place + 1) & (entries.length - 1);

  function isSought(slot: number, name: number): boolean {
    if (names[slot] !== name) return false;
    for (let word = 0; word < WORDS; word += 1) if (texts[slot * WORDS + word] !== sought[word]) return false;
    return true;
  }

  function enter(slot: number): void {
    let place = placeOf(texts, slot * WORDS, names[slot] ?? 0);
    while (entries[place] !== 0) place = after(place);
    entries[place] = slot + 1;
  }

  function growEntries(): void {
    entries = new Int32Array(2 * entries.length);
    for (let slot = 0; slot < end; slot += 1) if (names[slot] !== GONE) enter(slot);
  }

  return {
    find(wallet, name) {
      readAddress(wallet);
      const index = ENDPOINT_NAMES.indexOf(name);
      for (let place = placeOf(sought, 0, index); ; place = after(place)) {
        const slot = (entries[place] ?? 0) - 1;
        if (slot < 0 || isSought(slot, index)) return slot;
      }
    },
    insert(wallet, name) {
      const index = ENDPOINT_NAMES.indexOf(name);
      if (index < 0) throw new Error(`No endpoint is named "${name}"; there are: ${ENDPOINT_NAMES.join(', ')}`);
      readAddress(wallet);
      const slot = free.pop() ?? end;
      texts = grownUint32(texts, slot + 1, WORDS);
      names = grownUint8(names, slot + 1);
      texts.set(sought, slot * WORDS);
      names[slot] = index;
      if (slot < end) enter(slot);
      else {
        end += 1;
        if (4 * end > 3 * entries.length) growEntries();
        else enter(slot);
      }
      counts[index] = (counts[index] ?? 0) + 1;
      return slot;
    },
    release(slot) {
      const index = names[slot] ?? 0;
      let hole = placeOf(texts, slot * WORDS, index);
      while (entries[hole] !== slot + 1) hole = after(hole);
      // Whoever was put after the hole because it was taken moves up.
      for (let place = after(hole); entries[place] !== 0; place = after(place)) {
        const other = (entries[place] ?? 0) - 1;
        const home = placeOf(texts, other * WORDS, names[other] ?? 0);
        const mask = entries.length - 1;
        if (((place - home) & mask) < ((place - hole) & mask)) continue;
        entries[hole] = other + 1;
        hole = place;
      }
      entries[hole] = 0;
      names[slot] = GONE;
      counts[index] = (counts[index] ?? 0) - 1;
      free.push(slot);
    },
    wallet(slot) {
      if (!(slot < end) || names[slot] === GONE) throw new Error(`Slot ${slot} holds no endpoint`);
      let text = '0x';
      for (let at = slot * WORDS; at < (slot + 1) * WORDS; at += 1) {
        text += (texts[at] ?? 0).toString(16).padStart(DIGITS, '0');
      }
      // Read off a wallet address, digit by digit.
      return text as WalletAddress;
    },
    count: (name) => counts[ENDPOINT_NAMES.indexOf(name)] ?? 0,
    get end() {
      return end;
    },
  };
}
