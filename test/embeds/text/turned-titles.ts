import { createListing } from '../../../packages/venue-server/src/simulator/listing.ts';
import { createRandom } from '../../../packages/venue-server/src/simulator/random.ts';

/** Words that turn a title round, in real titles and against them. */
const OPPOSITES = words(
  'above below|before after|over under|more less|most least|win lose|wins loses|first last',
  'next last|rise fall|increase decrease|highest lowest|best worst|hottest coldest|reach miss',
  'leave join|between outside|on before|on after|in outside|from until|with without',
);
const VERBS = new Set(
  'be win become perform succeed hold sign land reach visit erupt vote publish close rain'.split(
    ' ',
  ),
);

function words(...lines: readonly string[]): (readonly [string, string])[] {
  return lines.flatMap((line) =>
    line.split('|').map((pair) => {
      const [one = '', other = ''] = pair.split(' ');
      return [one, other] as const;
    }),
  );
}

/** Titles that the simulated venue gives to markets, nearly all of them. */
export function simulatedTitles(): string[] {
  const random = createRandom('names');
  const titles = Array.from({ length: 6000 }, (_, id) => {
    return createListing(random, { id, opensAtSeconds: 0, awkward: -1 }).marketTitle;
  });
  return [...new Set(titles)];
}

/** A title with one word turned into its opposite, or with "not". */
export function turned(title: string): string[] {
  const parts = title.split(' ');
  return parts.flatMap((word, index) => {
    const [before, after] = [parts.slice(0, index), parts.slice(index + 1)];
    const opposites = OPPOSITES.flatMap(([one, other]) =>
      word === one ? [other] : word === other ? [one] : [],
    );
    return [
      ...opposites.map((opposite) => [...before, opposite, ...after].join(' ')),
      ...(VERBS.has(word) ? [[...before, 'not', word, ...after].join(' ')] : []),
    ];
  });
}

/** A title with one digit changed. */
export function renumbered(title: string): string[] {
  const parts = title.split(' ');
  return parts.flatMap((word, index) => {
    const changed = word.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
    return changed === word ? [] : [parts.with(index, changed).join(' ')];
  });
}
