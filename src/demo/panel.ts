import { CannotDo } from '@walletbell/local-discord/discord/fake-discord';
import type {
  PageControl,
  PageControlButton,
  PageFigure,
  PageReport,
  PageStatus,
} from '@walletbell/local-discord/site/protocol';
import type { Deed } from '@walletbell/venue-server/simulator/trader';
import type { VenueAnswer } from '@walletbell/venue-server/venue';
import type { Received, ReceivedAlert } from './receiver.ts';
import type { Sandbox } from './sandbox.ts';
import { VENUE_MODES, type VenueMode } from './venue-switch.ts';

const BOT_WORDS = { starting: 'starting', running: 'running', stopped: 'not running' } as const;
const VENUE_WORDS = {
  up: 'answers',
  down: 'down',
  limited: 'answers 429',
  revoked: 'refuses the key',
} as const;
const VENUE_LABELS = {
  up: 'Answers',
  down: 'Down',
  limited: 'Rate-limited (429)',
  revoked: 'Key revoked',
} as const;
/** In the order of the buttons. */
const DEEDS = ['buy', 'sell', 'redeem', 'deposit', 'withdraw'] as const satisfies readonly Deed[];
const DEED_LABELS = {
  buy: 'Buy',
  sell: 'Sell',
  redeem: 'Redeem',
  deposit: 'Deposit',
  withdraw: 'Withdraw',
} as const;
const USUAL_BUTTON = { isDanger: false, isDisabled: false, isPressed: null } as const;

type PartOfSandbox = Pick<Sandbox, 'account' | 'bot' | 'receiver' | 'simulator' | 'venue'>;
type Trader = Pick<
  Sandbox['simulator']['traders'][number],
  'handle' | 'pace' | 'style' | 'edgeCents'
> & {
  readonly address: string;
};

interface ShownWorld {
  readonly bot: Sandbox['bot']['state'];
  readonly venue: VenueMode;
  readonly requests: number;
  /** Newest rate-limit headers of the venue; null before the first request. */
  readonly lastAnswer: Pick<VenueAnswer, 'limit' | 'remaining' | 'resetSeconds'> | null;
  readonly alerts: number;
  readonly duplicates: number;
  /** Number of the venue's records that are not in a channel yet. */
  readonly waiting: number;
  /** Time from the newest trade to its message; null before the first alert. */
  readonly lastDelaySeconds: number | null;
  readonly traders: readonly Trader[];
  /** As counted by the receiver of signed alerts. */
  readonly received: Received;
}

/**
 * Creates the demo's part of the page: how the bot uses its key, whether the channels agree with
 * the venue, and the buttons that control traders, venue and bot.
 *
 * @param lastDelaySeconds time from the newest trade to its message; null before the first alert
 */
export function createPanel(sandbox: PartOfSandbox, lastDelaySeconds: () => number | null) {
  const { account, bot, receiver, simulator, venue } = sandbox;

  const trade = async (deed: string, address: string | null): Promise<string> => {
    const known = DEEDS.find((name) => name === deed);
    const trader = simulator.traders.find((each) => each.address === address);
    if (known === undefined || trader === undefined) {
      throw new CannotDo(`No trader can ${deed} for ${address}.`);
    }
    await simulator.act(trader.address, known);
    return `${trader.handle}: ${DEED_LABELS[known].toLowerCase()} is in the venue.`;
  };

  const setVenue = async (wanted: string): Promise<string> => {
    const mode = VENUE_MODES.find((each) => each === wanted);
    if (mode === undefined) throw new CannotDo(`The venue cannot be set to ${wanted}.`);
    await venue.set(mode);
    return `The venue: ${VENUE_LABELS[mode].toLowerCase()}.`;
  };

  const orderBot = async (order: string): Promise<string> => {
    if (order === 'kill') {
      await bot.kill();
      return 'The bot was killed.';
    }
    if (order !== 'start') throw new CannotDo(`The bot does not take the order ${order}.`);
    bot.start();
    return 'The bot starts.';
  };

  return {
    status(): PageStatus {
      const { alerts, duplicates, announced, ...all } = account.balance();
      const lost = all.lost - announced;
      const { mode, requests, lastAnswer } = venue;
      return showWorld({
        bot: bot.state,
        venue: mode,
        requests,
        lastAnswer,
        alerts,
        duplicates,
        waiting: lost,
        lastDelaySeconds: lastDelaySeconds(),
        traders: simulator.traders,
        received: receiver.received,
      });
    },
    async press(control: string, button: string, choice: string | null): Promise<string> {
      if (control === 'wallet') return trade(button, choice);
      if (control === 'venue') return setVenue(button);
      if (control === 'bot') return orderBot(button);
      throw new CannotDo(`There is no control ${control}.`);
    },
  };
}

/** Converts the world's state to the content of strip and panel. */
export function showWorld(world: ShownWorld): PageStatus {
  return { figures: figuresOf(world), controls: controlsOf(world), reports: [reportOf(world)] };
}

/** Returns the strip at the top. */
function figuresOf(world: ShownWorld): PageFigure[] {
  const { bot, venue, requests, lastAnswer, alerts, duplicates, waiting, lastDelaySeconds } = world;
  const used =
    lastAnswer === null ? '–' : `${lastAnswer.limit - lastAnswer.remaining} of ${lastAnswer.limit}`;
  const reset = lastAnswer === null ? { text: '–' } : { untilMs: lastAnswer.resetSeconds * 1000 };
  const delay = lastDelaySeconds === null ? '–' : `${lastDelaySeconds.toFixed(1)} s`;
  return [
    figure('Bot', BOT_WORDS[bot], '', bot === 'stopped'),
    figure('Venue', VENUE_WORDS[venue], '', venue !== 'up'),
    figure('Budget used', used, 'Requests of the key that the venue has counted in this window'),
    {
      name: 'Reset',
      value: reset,
      isBad: false,
      meaning: 'When the venue counts from nothing again',
    },
    figure('Requests', requests.toLocaleString('en'), 'Requests to the venue since the demo began'),
    figure('Alerts', alerts.toLocaleString('en'), ''),
    figure('Last delay', delay, 'From the newest trade to its alert'),
    figure('Duplicates', String(duplicates), 'Alerts that a channel got twice', duplicates > 0),
    figure(
      'On the way',
      String(waiting),
      'Records of the venue that a channel is still to be told of',
    ),
  ];
}

function figure(name: string, text: string, meaning: string, isBad = false): PageFigure {
  return { name, value: { text }, isBad, meaning };
}

/** Returns the side panel. */
function controlsOf({ bot, venue, traders }: ShownWorld): PageControl[] {
  const kill = {
    ...USUAL_BUTTON,
    id: 'kill',
    label: 'Kill it',
    isDanger: true,
    isDisabled: bot === 'stopped',
  };
  const start = { ...USUAL_BUTTON, id: 'start', label: 'Start it', isDisabled: bot !== 'stopped' };
  return [
    {
      id: 'wallet',
      title: 'A wallet',
      choice: { label: 'Trader', options: traders.map(traderOption) },
      buttons: DEEDS.map((deed) => ({ ...USUAL_BUTTON, id: deed, label: DEED_LABELS[deed] })),
    },
    {
      id: 'venue',
      title: 'The venue',
      choice: null,
      buttons: VENUE_MODES.map((mode) => venueButton(mode, venue)),
    },
    { id: 'bot', title: 'The bot', choice: null, buttons: [kill, start] },
  ];
}

/** Returns the list of messages received by the receiver of signed alerts. */
function reportOf({ received, traders }: ShownWorld): PageReport {
  const { alerts, repeated, refused, newest } = received;
  return {
    id: 'signed',
    title: `Signed alerts: ${alerts.toLocaleString('en')}`,
    about: `Posted to a receiver beside Discord · ${repeated} repeated · ${refused} refused`,
    rows: newest.map((message) => receivedRow(message, traders)),
  };
}

function receivedRow({ atMs, alert, isRepeated }: ReceivedAlert, traders: readonly Trader[]) {
  if (alert === null) {
    return { atMs, text: 'Refused', detail: 'its signature is not the bot’s', isBad: true };
  }
  const trader = traders.find(({ address }) => address.toLowerCase() === alert.wallet);
  const detail = ['signature verified'];
  if (alert.isLate) detail.push('late');
  if (isRepeated) detail.push('repeated');
  const text = `${alert.type} · ${trader?.handle ?? alert.wallet}`;
  return { atMs, text, detail: detail.join(' · '), isBad: false };
}

function traderOption({ address, handle, pace, style, edgeCents }: Trader) {
  // The true edge, for comparison with the bot's scores.
  const edge = edgeCents === 0 ? 'no edge' : `true edge ${edgeCents}¢ a share`;
  return {
    value: address,
    label: `${handle} (${pace})`,
    about: `${style} · ${edge}`,
    below: address,
  };
}

function venueButton(mode: VenueMode, present: VenueMode): PageControlButton {
  return { ...USUAL_BUTTON, id: mode, label: VENUE_LABELS[mode], isPressed: mode === present };
}
