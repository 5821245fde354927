import { NAMES } from '../../app/config.ts';
import { editDistance } from '../../lib/text/edit-distance.ts';
import { type Finding, warn } from './finding.ts';

/** Maximum number of differing letters for a name to count as a misspelling of one of the bot's. */
const NEAR = 2;
/** Minimum length of such names; shorter ones, such as TZ, are close to too many others. */
const NEAR_LENGTH = 6;
/** Names in `.env` that are meant for Node, npm or Docker Compose. */
const OF_OTHERS = /^(?:NODE_|npm_|COMPOSE_|UV_)/;

/**
 * Searches for misspelled names of variables, which are silently ignored: a misspelled
 * ALLOWED_GUILDS opens the bot to every server.
 *
 * @param fileNames names in `.env`. All of them are checked, whereas the environment also has names
 *   of other programs
 */
export function checkNames(
  environment: NodeJS.ProcessEnv,
  fileNames: readonly string[],
): readonly Finding[] {
  const known = new Set(NAMES);
  const inFile = new Set(fileNames.filter((name) => !known.has(name) && !OF_OTHERS.test(name)));
  const elsewhere = Object.keys(environment).filter(
    (name) => !known.has(name) && !inFile.has(name) && nearestTo(name) !== undefined,
  );
  return [
    ...[...inFile].map((name) => warn('variables', `.env: ${sentenceOf(name)}`)),
    ...elsewhere.map((name) => warn('variables', sentenceOf(name))),
  ];
}

function sentenceOf(name: string): string {
  const nearest = nearestTo(name);
  const advice = nearest === undefined ? 'It does nothing.' : `Is ${nearest} meant?`;
  return `${name} is no variable of walletbell. ${advice}`;
}

/** Returns the variable that a name probably means; undefined if none is close. */
function nearestTo(name: string): string | undefined {
  if (name.length < NEAR_LENGTH) return undefined;
  const upper = name.toUpperCase();
  return NAMES.filter((variable) => variable.length >= NEAR_LENGTH)
    .map((variable) => ({ variable, distance: editDistance(upper, variable) }))
    .filter(({ distance }) => distance <= NEAR)
    .toSorted((a, b) => a.distance - b.distance)[0]?.variable;
}
