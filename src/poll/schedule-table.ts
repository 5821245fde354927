import type { WalletAddress } from '../venue/address.ts';
import type { EndpointName } from '../venue/schema.ts';
import { ENDPOINT_NAMES } from '../venue/schema.ts';

/** Maps endpoints to small numbers (slots), so that what is known of an endpoint can live in typed arrays. */
export interface SlotTable {
  /** The slot of an endpoint, −1 if it is not here. */
  find(wallet: WalletAddress, name: EndpointName): number;
  /** Gives an endpoint that is not here a slot: a freed one if there is one, else the next. */
  insert(wallet: WalletAddress, name: EndpointName): number;
  /** Frees the slot of an endpoint for another. */
  release(wallet: WalletAddress, name: EndpointName): void;
  wallet(slot: number): WalletAddress;
  /** Endpoints of this name. */
  count(name: EndpointName): number;
  /** One more than the highest slot that was ever in use. */
  readonly end: number;
}

export function createSlotTable(): SlotTable {
  const slotsByName = new Map(ENDPOINT_NAMES.map((name) => [name, new Map<WalletAddress, number>()]));
  const wallets: (WalletAddress | null)[] = [];
  const free: number[] = [];

  function slotsOf(name: EndpointName): Map<WalletAddress, number> {
    const slots = slotsByName.get(name);
    if (slots === undefined) throw new Error(`No endpoint is named "${name}"; there are: ${ENDPOINT_NAMES.join(', ')}`);
    return slots;
  }

  function wallet(slot: number): WalletAddress {
    const found = wallets[slot];
    if (found === undefined || found === null) throw new Error(`Slot ${slot} holds no endpoint`);
    return found;
  }

  return {
    find: (address, endpointName) => slotsOf(endpointName).get(address) ?? -1,
    insert(address, endpointName) {
      const slot = free.pop() ?? wallets.length;
      wallets[slot] = address;
      slotsOf(endpointName).set(address, slot);
      return slot;
    },
    release(address, endpointName) {
      const slots = slotsOf(endpointName);
      const slot = slots.get(address);
      if (slot === undefined) return;
      slots.delete(address);
      wallets[slot] = null;
      free.push(slot);
    },
    wallet,
    count: (endpointName) => slotsOf(endpointName).size,
    get end() {
      return wallets.length;
    },
  };
}
