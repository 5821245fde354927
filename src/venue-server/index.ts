export { DEMO_KEY, type VenueKey } from './keys.ts';
export { type Ledger, type LedgerRecord, openLedger } from './ledger.ts';
export { createSimulator, type Simulator } from './simulator/simulator.ts';
export { startVenue } from './venue.ts';
