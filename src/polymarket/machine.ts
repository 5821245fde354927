import type { Machine } from '../lib/machine.ts';

/** Services of the process in which the gateway runs. */
export type GatewayMachine = Pick<Machine, 'log' | 'nowMs' | 'monotonicMs'>;
