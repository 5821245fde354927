import type { Machine } from '../lib/machine.ts';

/** Services of the process that the gateway runs in. */
export type GatewayMachine = Pick<Machine, 'log' | 'nowMs' | 'monotonicMs'>;
