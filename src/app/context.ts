import type { Logger } from 'pino';
import type { Machine } from '../lib/machine.ts';
import type { Ops } from '../ops/ops.ts';
import type { Schedule } from '../poll-policy/schedule.ts';
import type { StartRule } from '../store/conversion.ts';
import type { Store } from '../store/store.ts';
import type { Config } from './config.ts';

/** Input with which a process is started. */
export interface Given {
  readonly config: Config;
  readonly log: Logger;
  readonly redact: (text: string) => string;
  readonly onFatal: (exitCode: number) => void;
  /** Rules for starting on a store of an older format. */
  readonly conversion: Pick<StartRule, 'skipsDamaged' | 'copies' | 'progress'>;
  /** Creates the schedule of polls; the fair one if left out. */
  readonly scheduleFor?: (pollMinSeconds: number) => Schedule;
}

/** Context that every part needs. */
export interface AppContext extends Machine, Given {
  readonly ops: Ops;
  readonly store: Store;
  /** Aborts when the process stops. */
  readonly signal: AbortSignal;
}

/** Steps that stop a working process, in order. */
export type StopSteps = readonly (() => unknown)[];
