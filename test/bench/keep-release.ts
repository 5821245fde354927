import { mkdirSync, readdirSync } from 'node:fs';
import { KEPT, keepData, keepPrograms } from '../releases/keep.ts';

/** Keeps what this release stores, says and runs, for the tests of later ones. */
export async function run(): Promise<void> {
  mkdirSync(KEPT, { recursive: true });
  await keepData(KEPT);
  await keepPrograms(KEPT);
  for (const name of readdirSync(KEPT)) process.stdout.write(`${JSON.stringify({ kept: name })}\n`);
}
