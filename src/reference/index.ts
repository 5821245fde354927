export { DEMO_KEY, type VenueKey } from './keys.ts';
export { type Ledger, type LedgerRecord, openLedger } from './ledger.ts';
export {
  createSimulator,
  type Pace,
  type SimulatedTrader,
  type Simulator,
  type SimulatorOptions,
} from './simulator/simulator.ts';
export { startVenue, type Venue, type VenueOptions } from './venue.ts';
