import type { WalletAddress } from '../venue/address.ts';
import type { EndpointName } from '../venue/schema.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';
import { grownInt32 } from './schedule-columns.ts';

/** Maps endpoints to small numbers (slots), so that what is known of an endpoint can live in typed arrays. */
export interface SlotTable {
  /** The slot of an endpoint, −1 if it is not here. */
  find(wallet: WalletAddress, name: EndpointName): number;
  /** Gives an endpoint that is not here a slot: a freed one if there is one, else the next. */
  insert(wallet: WalletAddress, name: EndpointName): number;
  /** Frees all slots of a wallet for others. */
  release(wallet: WalletAddress): void;
  wallet(slot: number): WalletAddress;
  /** Endpoints of this name. */
  count(name: EndpointName): number;
  /** One more than the highest slot that was ever in use. */
  readonly end: number;
}

/** One key a wallet, which leads to its first slot; each slot leads to the next of the same wallet. */
export function createSlotTable(): SlotTable {
  const firstSlots = new Map<WalletAddress, number>();
  const wallets: (WalletAddress | null)[] = [];
  const counts = ENDPOINT_NAMES.map(() => 0);
  const free: number[] = [];
  // The name's index, and the wallet's next slot (−1: none), as one number.
  let links = new Int32Array(0);
  const nameAt = (slot: number): number => (links[slot] ?? 0) % ENDPOINT_NAMES.length;
  const nextOf = (slot: number): number => Math.floor((links[slot] ?? 0) / ENDPOINT_NAMES.length) - 1;

  return {
    find(wallet, name) {
      const index = ENDPOINT_NAMES.indexOf(name);
      let slot = firstSlots.get(wallet) ?? -1;
      while (slot >= 0 && nameAt(slot) !== index) slot = nextOf(slot);
      return slot;
    },
    insert(wallet, name) {
      const index = ENDPOINT_NAMES.indexOf(name);
      if (index < 0) throw new Error(`No endpoint is named "${name}"; there are: ${ENDPOINT_NAMES.join(', ')}`);
      const slot = free.pop() ?? wallets.length;
      const first = firstSlots.get(wallet);
      // The same string for both: a wallet's key is kept once.
      wallets[slot] = first === undefined ? wallet : (wallets[first] ?? wallet);
      links = grownInt32(links, wallets.length);
      links[slot] = ((first ?? -1) + 1) * ENDPOINT_NAMES.length + index;
      firstSlots.set(wallets[slot] ?? wallet, slot);
      counts[index] = (counts[index] ?? 0) + 1;
      return slot;
    },
    release(wallet) {
      for (let slot = firstSlots.get(wallet) ?? -1; slot >= 0; slot = nextOf(slot)) {
        const index = nameAt(slot);
        counts[index] = (counts[index] ?? 0) - 1;
        wallets[slot] = null;
        free.push(slot);
      }
      firstSlots.delete(wallet);
    },
    wallet(slot) {
      const found = wallets[slot];
      if (found === undefined || found === null) throw new Error(`Slot ${slot} holds no endpoint`);
      return found;
    },
    count: (name) => counts[ENDPOINT_NAMES.indexOf(name)] ?? 0,
    get end() {
      return wallets.length;
    },
  };
}
