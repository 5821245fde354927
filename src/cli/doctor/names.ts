import { VARIABLES } from '../../app/config.ts';
import { editDistance } from '../../lib/text/edit-distance.ts';
import { type Finding, warn } from './finding.ts';

/** Letters by which a name may differ from one of ours, to be taken for it. */
const NEAR = 2;
/** Shorter names, such as TZ, are near to too many others. */
const NEAR_LENGTH = 6;
/** Names in `.env` that are meant for Node, npm or Docker Compose. */
const OF_OTHERS = /^(?:NODE_|npm_|COMPOSE_|UV_)/;

/**
 * Looks for misspelt names of variables, which do nothing without a word: a misspelt ALLOWED_GUILDS
 * opens the bot to every server.
 *
 * @param fileNames names that `.env` has; the environment has those of many programs
 */
export function checkNames(
  environment: Readonly<Record<string, string | undefined>>,
  fileNames: readonly string[],
): readonly Finding[] {
  const known = new Set(VARIABLES);
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

/** The variable that a name is taken for; undefined: none is near. */
function nearestTo(name: string): string | undefined {
  if (name.length < NEAR_LENGTH) return undefined;
  const upper = name.toUpperCase();
  return VARIABLES.filter((variable) => variable.length >= NEAR_LENGTH)
    .map((variable) => ({ variable, distance: editDistance(upper, variable) }))
    .filter(({ distance }) => distance <= NEAR)
    .toSorted((a, b) => a.distance - b.distance)[0]?.variable;
}
