import { html, nothing } from 'lit-html';
import type { PageChannel, PageComplaint, PageStatus, PageTrader, PageWorld } from '../site/protocol.ts';
import type { SiteRequest } from '../site/requests.ts';
import { ask } from './api.ts';

const DEEDS = [
  ['buy', 'Buy'],
  ['sell', 'Sell'],
  ['redeem', 'Redeem'],
  ['deposit', 'Deposit'],
  ['withdraw', 'Withdraw'],
] as const;
const VENUE_MODES = [
  ['up', 'Answers'],
  ['down', 'Down'],
  ['limited', 'Rate-limited (429)'],
  ['revoked', 'Key revoked'],
] as const;
const PERMISSIONS = [
  ['nothing', 'Has all it needs'],
  ['send', 'No Send Messages'],
  ['embed', 'No Embed Links'],
  ['view', 'Cannot see the channel'],
] as const;

/** The side panel: what moves the world. */
export function createPanel(redraw: () => void) {
  let wallet: string | null = null;
  let note = '';
  let isSure = false;

  async function order<Request extends SiteRequest>(request: Request, done: string): Promise<void> {
    try {
      await ask(request);
      note = done;
    } catch (error) {
      note = error instanceof Error ? error.message : String(error);
    }
    redraw();
  }

  function traders(world: PageWorld): unknown {
    const chosen = wallet ?? world.traders[0]?.address ?? '';
    const trader = world.traders.find(({ address }) => address === chosen);
    const handle = trader?.handle ?? '';
    return html`<section aria-labelledby="traders-title">
      <h3 id="traders-title">A wallet</h3>
      <label for="wallet">Trader</label>
      <select
        id="wallet"
        @change=${({ target }: Event) => {
          if (target instanceof HTMLSelectElement) wallet = target.value;
          redraw();
        }}
      >
        ${world.traders.map(
          ({ address, handle: name, pace }) =>
            html`<option value=${address} ?selected=${address === chosen}>${name} (${pace})</option>`,
        )}
      </select>
      ${trader === undefined ? nothing : html`<p class="style">${styleOf(trader)}</p>`}
      <div class="buttons">
        ${DEEDS.map(
          ([deed, label]) =>
            html`<button
              type="button"
              class="button secondary"
              @click=${() => order({ do: 'deed', wallet: chosen, deed }, `${handle}: ${label.toLowerCase()} is in the venue.`)}
            >
              ${label}
            </button>`,
        )}
      </div>
      <p class="address">${chosen}</p>
    </section>`;
  }

  function venue(status: PageStatus): unknown {
    return html`<fieldset>
      <legend>The venue</legend>
      <div class="buttons">
        ${VENUE_MODES.map(
          ([mode, label]) =>
            html`<button
              type="button"
              class="button secondary"
              aria-pressed=${status.venue === mode}
              @click=${() => order({ do: 'venue', mode }, `The venue: ${label.toLowerCase()}.`)}
            >
              ${label}
            </button>`,
        )}
      </div>
    </fieldset>`;
  }

  function bot(status: PageStatus): unknown {
    const isThere = status.bot !== 'stopped';
    return html`<section aria-labelledby="bot-title">
      <h3 id="bot-title">The bot</h3>
      <div class="buttons">
        <button
          type="button"
          class="button danger"
          ?disabled=${!isThere}
          @click=${() => order({ do: 'bot', order: 'kill' }, 'The bot was killed.')}
        >
          Kill it
        </button>
        <button
          type="button"
          class="button secondary"
          ?disabled=${isThere}
          @click=${() => order({ do: 'bot', order: 'start' }, 'The bot starts.')}
        >
          Start it
        </button>
      </div>
    </section>`;
  }

  function channelPart(world: PageWorld, channel: PageChannel): unknown {
    const { view, send, embed } = channel.bot;
    const taken = view ? (send ? (embed ? 'nothing' : 'embed') : 'send') : 'view';
    return html`<fieldset>
      <legend>The channel #${channel.name}</legend>
      <label for="permission">The bot here</label>
      <select
        id="permission"
        @change=${({ target }: Event) => {
          const picked = PERMISSIONS.find(([take]) => target instanceof HTMLSelectElement && take === target.value);
          if (!picked) return;
          const [take, label] = picked;
          void order({ do: 'permission', channelId: channel.id, take }, `The bot in #${channel.name}: ${label}.`);
        }}
      >
        ${PERMISSIONS.map(([take, label]) => html`<option value=${take} ?selected=${take === taken}>${label}</option>`)}
      </select>
      <div class="buttons">
        <button
          type="button"
          class="button danger"
          @click=${() => {
            if (isSure) void order({ do: 'deleteChannel', channelId: channel.id }, `#${channel.name} is gone.`);
            isSure = !isSure;
            redraw();
          }}
          @blur=${() => {
            isSure = false;
            redraw();
          }}
        >
          ${isSure ? `Really delete #${channel.name}` : 'Delete the channel'}
        </button>
        ${newChannel(world)}
      </div>
    </fieldset>`;
  }

  function directPart(world: PageWorld, isOpen: boolean): unknown {
    return html`<fieldset>
      <legend>Direct messages</legend>
      <div class="buttons">
        ${[true, false].map(
          (wanted) =>
            html`<button
              type="button"
              class="button secondary"
              aria-pressed=${wanted === isOpen}
              @click=${() =>
                order(
                  { do: 'directMessages', as: world.me.id, isOpen: wanted },
                  `${world.me.name} takes ${wanted ? 'messages' : 'no messages'} from the bot.`,
                )}
            >
              ${wanted ? 'Open' : 'Closed'}
            </button>`,
        )}
      </div>
    </fieldset>`;
  }

  function channelControls(world: PageWorld, channel: PageChannel | undefined): unknown {
    if (channel === undefined) return newChannel(world);
    return channel.direct === null ? channelPart(world, channel) : directPart(world, channel.direct.isOpen);
  }

  function newChannel({ channels }: PageWorld): unknown {
    const numbers = channels.map(({ name }) => Number(/^channel-(\d+)$/.exec(name)?.[1] ?? 0));
    const name = `channel-${Math.max(0, ...numbers) + 1}`;
    return html`<button
      type="button"
      class="button secondary"
      @click=${() => order({ do: 'createChannel', name }, `#${name} is there.`)}
    >
      New channel
    </button>`;
  }

  return {
    element: (world: PageWorld, status: PageStatus, channel: PageChannel | undefined): unknown =>
      html`<aside class="panel" aria-label="Move the world">
        <h2>Move the world</h2>
        ${traders(world)} ${venue(status)} ${bot(status)} ${channelControls(world, channel)}
        <p role="status" class="note">${note}</p>
      </aside>`,
  };
}

/** `buys what is worth more · true edge 15¢`: what the bot's scores can be compared with. */
function styleOf({ style, edgeCents }: PageTrader): string {
  return `${style} · ${edgeCents === 0 ? 'no edge' : `true edge ${edgeCents}¢ a share`}`;
}

/** What Discord would not have let pass. */
export function complaintLog(complaints: readonly PageComplaint[], onClear: () => void): unknown {
  const shown = complaints.slice(-100).reverse();
  return html`<section class="complaints" aria-labelledby="complaints-title">
    <h2 id="complaints-title">Complaints of Discord: ${complaints.length}</h2>
    ${
      shown.length === 0
        ? html`<p>There are none.</p>`
        : html`<div role="log" tabindex="0" aria-label="Complaints, newest first"><ol>
              ${shown.map(
                ({ atMs, kind, route, reason }) =>
                  html`<li class=${kind}>
                    <time datetime=${new Date(atMs).toISOString()}>${new Date(atMs).toLocaleTimeString('en-GB')}</time>
                    ${kind === 'warning' ? 'Accepted, but: ' : nothing}<b>${route}</b> <span>${reason}</span>
                  </li>`,
              )}
            </ol></div>
            <button type="button" class="button secondary" @click=${onClear}>Clear</button>`
    }
  </section>`;
}
