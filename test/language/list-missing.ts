// `npm run texts`: lists what is missing in a language, and ends with 1 where something is.
import { MISSING_TEXTS } from './missing-texts.ts';

for (const [folder, paths] of MISSING_TEXTS) {
  const count = paths.length === 0 ? 'complete' : `${paths.length} missing`;
  process.stdout.write(`src/language/${folder}: ${count}\n`);
  for (const path of paths) process.stdout.write(`  ${path}\n`);
}
const isComplete = [...MISSING_TEXTS.values()].every((paths) => paths.length === 0);
process.exitCode = isComplete ? 0 : 1;
