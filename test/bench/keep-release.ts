import { mkdirSync, readdirSync } from 'node:fs';
import { KEPT, keepData, keepPrograms } from '../releases/keep.ts';

/** Saves this release's stored data, texts and programs for tests of later releases. */
export async function run(): Promise<void> {
  mkdirSync(KEPT, { recursive: true });
  await keepData(KEPT);
  await keepPrograms(KEPT);
  for (const name of readdirSync(KEPT)) process.stdout.write(`${JSON.stringify({ kept: name })}\n`);
}
