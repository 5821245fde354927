import { createRandom, type Random } from './random.ts';

export type Side = 'Yes' | 'No';

/** What the records of a market have in common. */
export interface Listing {
  readonly marketId: string;
  readonly marketSlug: string;
  readonly eventSlug: string;
  readonly conditionId: string;
  readonly marketTitle: string;
  readonly logo: string;
  readonly tokenIds: Readonly<Record<Side, string>>;
}

/** A market whose price wanders until it is resolved. */
export interface Market {
  readonly listing: Listing;
  /** Cents of a share of this side at this time, 1 to 99, one decimal. */
  priceCents(side: Side, atSeconds: number): number;
  /** The side that pays 100 cents; undefined while the market is open. */
  readonly winner: Side | undefined;
  resolve(winner: Side): void;
}

/** The markets that are open. */
export interface Markets {
  readonly open: readonly Market[];
  /** Resolves a market and opens another in its place. */
  resolve(market: Market, winner: Side): void;
}

interface Subject {
  readonly event: string;
  readonly title: string;
}

const CITIES = ['Lisbon', 'Chicago', 'Seoul', 'Nairobi', 'São Paulo', 'Reykjavík', 'Auckland', 'Kraków'];
const TEAMS = [
  'Harbor City',
  'Northfield',
  'Real Almería',
  'Kingsport',
  'Old Bridge',
  'Rapid Brno',
  'Lakeview',
  'Union',
];
const ASSETS: readonly (readonly [name: string, dollars: number])[] = [
  ['Bitcoin', 100_000],
  ['Ether', 4_000],
  ['Gold', 4_000],
  ['a barrel of crude oil', 70],
  ['the S&P 500', 7_000],
  ['a tonne of copper', 10_000],
];
const MONTHS = ['January', 'March', 'May', 'June', 'September', 'October', 'December'];
const OFFICES = ['the Senate', 'city hall', 'the finance ministry', 'the central bank', 'parliament'];

/** Titles as people write them. */
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
    return { event: `${asset} in ${month}`, title: `Will ${asset} close ${month} above $${level}?` };
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

/** Titles that a chat would take for formatting, a mention or a link, and very long ones. */
const AWKWARD: readonly Subject[] = [
  { event: 'Cup final', title: '🏆 Cup final: over/under 2.5 goals ⚽🔥' },
  { event: 'Best Picture', title: 'Will *The _Quiet_ Lighthouse* win **Best Picture**? ~~No~~ ||spoiler|| `code`' },
  {
    event: 'Club raffle',
    title: 'Will @everyone at the club raffle beat <@&123456789012345678> and [win](https://prize.example/claim)?',
  },
  {
    event: 'Coalition talks',
    title:
      'Will the parties named in the joint statement of the second round of coalition talks agree, before the end of the ' +
      'extraordinary session and without a further recess, on a written programme that includes the reform of local taxes, ' +
      'the renewal of the rail network and the naming of a common candidate for the presidency of the upper chamber?',
  },
  { event: 'Derby', title: 'هل يفوز فريق الميناء في المباراة النهائية؟' },
  { event: 'Language ranking', title: '# C++ > Rust_2027: "top 1" in the <b>yearly</b> ranking & survey? 👩‍💻' },
];

/** A world of markets that is the same for the same seed. */
export function createMarkets(seed: string, size: number): Markets {
  const random = createRandom(`${seed} markets`);
  const open: Market[] = [];
  let opened = 0;

  function openMarket(): Market {
    opened += 1;
    const awkward = AWKWARD[(opened - 1) % (2 * size)];
    return createMarket(`${seed} market ${opened}`, awkward ?? random.pick(ORDINARY)(random), 500_000 + opened * 37);
  }
  while (open.length < size) open.push(openMarket());

  return {
    open,
    resolve(market, winner) {
      market.resolve(winner);
      const place = open.indexOf(market);
      if (place !== -1) open[place] = openMarket();
    },
  };
}

function createMarket(seed: string, subject: Subject, id: number): Market {
  const random = createRandom(seed);
  const decimal = () => `${random.whole(1, 9)}${Array.from({ length: 76 }, () => random.whole(0, 9)).join('')}`;
  const listing: Listing = {
    marketId: String(id),
    marketSlug: `${slugOf(subject.title)}-${id}`,
    eventSlug: slugOf(subject.event),
    conditionId: `0x${random.hex(64)}`,
    marketTitle: subject.title,
    logo: `https://images.venue.example/markets/${id}.png`,
    tokenIds: { Yes: decimal(), No: decimal() },
  };
  // The price of Yes wanders on the scale of log-odds, about ±10 cents in an hour.
  let logOdds = random.normal();
  let pricedAtSeconds: number | undefined;
  let winner: Side | undefined;

  return {
    listing,
    priceCents(side, atSeconds) {
      const elapsedSeconds = Math.min(86_400, Math.max(0, atSeconds - (pricedAtSeconds ?? atSeconds)));
      pricedAtSeconds = atSeconds;
      logOdds = 0.98 * logOdds + random.normal() * 0.4 * Math.sqrt(elapsedSeconds / 3600);
      const yes = Math.min(99, Math.max(1, Math.round(1000 / (1 + Math.exp(-logOdds))) / 10));
      return side === 'Yes' ? yes : Math.round((100 - yes) * 10) / 10;
    },
    get winner() {
      return winner;
    },
    resolve(side) {
      winner = side;
    },
  };
}

function slugOf(title: string): string {
  const texts = title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
  return texts === '' ? 'market' : texts;
}
