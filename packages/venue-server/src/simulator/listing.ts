import type { Random } from './random.ts';

export type Side = 'Yes' | 'No';

interface Subject {
  readonly event: string;
  readonly title: string;
}

const CITIES = [
  'Lisbon',
  'Chicago',
  'Seoul',
  'Nairobi',
  'São Paulo',
  'Reykjavík',
  'Auckland',
  'Kraków',
];
const TEAMS =
  'Harbor City, Northfield, Real Almería, Kingsport, Old Bridge, Rapid Brno, Lakeview, Union'.split(
    ', ',
  );
const ASSETS: readonly (readonly [name: string, dollars: number])[] = [
  ['Bitcoin', 100_000],
  ['Ether', 4_000],
  ['Gold', 4_000],
  ['a barrel of crude oil', 70],
  ['the S&P 500', 7_000],
  ['a tonne of copper', 10_000],
];
const MONTHS = ['January', 'March', 'May', 'June', 'September', 'October', 'December'];
const OFFICES = [
  'the Senate',
  'city hall',
  'the finance ministry',
  'the central bank',
  'parliament',
];

/** Ordinary titles. */
const ORDINARY: readonly ((random: Random) => Subject)[] = [
  (random) => {
    const [city, month, day] = [random.pick(CITIES), random.pick(MONTHS), random.whole(1, 28)];
    return { event: `Weather in ${city}`, title: `Will it rain in ${city} on ${month} ${day}?` };
  },
  (random) => {
    const [home, away] = random.shuffled(TEAMS);
    return { event: `${home} vs. ${away}`, title: `${home} vs. ${away}: will ${home} win?` };
  },
  (random) => {
    const [[asset, dollars], month] = [random.pick(ASSETS), random.pick(MONTHS)];
    const level = Math.round((dollars * random.whole(16, 26)) / 20).toLocaleString('en-US');
    return {
      event: `${asset} in ${month}`,
      title: `Will ${asset} close ${month} above $${level}?`,
    };
  },
  (random) => {
    const [office, month] = [random.pick(OFFICES), random.pick(MONTHS)];
    return {
      event: `News from ${office}`,
      title: `Will ${office} publish the new budget before ${month} ${random.whole(1, 28)}?`,
    };
  },
  (random) => {
    const city = random.pick(CITIES);
    return {
      event: `Highest temperature in ${city}`,
      title: `Highest temperature in ${city} ≥ ${random.whole(18, 39)} °C this week?`,
    };
  },
];

/** Very long titles, and titles that a chat would render as formatting, a mention or a link. */
const AWKWARD: readonly Subject[] = [
  { event: 'Cup final', title: '🏆 Cup final: over/under 2.5 goals ⚽🔥' },
  {
    event: 'Best Picture',
    title: 'Will *The _Quiet_ Lighthouse* win **Best Picture**? ~~No~~ ||spoiler|| `code`',
  },
  {
    event: 'Club raffle',
    title:
      'Will @everyone at the club raffle beat <@&123456789012345678> and [win](https://prize.example/claim)?',
  },
  {
    event: 'Coalition talks',
    title:
      'Will the parties named in the joint statement of the second round of coalition talks agree, before the end of the ' +
      'extraordinary session and without a further recess, on a written programme that includes the reform of local taxes, ' +
      'the renewal of the rail network and the naming of a common candidate for the presidency of the upper chamber?',
  },
  { event: 'Derby', title: 'هل يفوز فريق الميناء في المباراة النهائية؟' },
  {
    event: 'Language ranking',
    title: '# C++ > Rust_2027: "top 1" in the <b>yearly</b> ranking & survey? 👩‍💻',
  },
];

/**
 * Creates a market's listing: the fields that all its records share. Markets with the same subject
 * that open on the same day belong to the same event.
 *
 * @param awkward index of the awkward title; any other number selects an ordinary one
 */
export function createListing(
  random: Random,
  {
    id,
    opensAtSeconds,
    awkward,
  }: { readonly id: number; readonly opensAtSeconds: number; readonly awkward: number },
) {
  const { event, title } = AWKWARD[awkward] ?? random.pick(ORDINARY)(random);
  const decimal = () =>
    `${random.whole(1, 9)}${Array.from({ length: 76 }, () => random.whole(0, 9)).join('')}`;
  return {
    marketId: String(id),
    marketSlug: `${slugOf(title)}-${id}`,
    eventSlug: `${slugOf(event)}-${new Date(opensAtSeconds * 1000).toISOString().slice(0, 10)}`,
    conditionId: `0x${random.hex(64)}`,
    marketTitle: title,
    logo: `https://images.venue.example/markets/${id}.png`,
    tokenIds: { Yes: decimal(), No: decimal() } satisfies Record<Side, string>,
  };
}

function slugOf(title: string): string {
  const text = title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  return text === '' ? 'market' : text;
}
