import { html, nothing } from 'lit-html';
import type {
  PageChannel,
  PageComplaint,
  PageControl,
  PageControlButton,
  PageReport,
  PageWorld,
} from '../site/protocol.ts';
import type { SiteRequest } from '../site/requests.ts';
import { ask } from './api.ts';

const PERMISSIONS = [
  ['nothing', 'Has all it needs'],
  ['send', 'No Send Messages'],
  ['embed', 'No Embed Links'],
  ['view', 'Cannot see the channel'],
] as const;

/** Creates the side panel, whose controls change the world around the bot. */
export function createPanel(redraw: () => void) {
  /** The person's selection for each control. */
  const chosen = new Map<string, string>();
  let note = '';
  let isSure = false;

  /** @param done the note after success; by default the note in the response */
  async function order(request: SiteRequest, done?: string): Promise<void> {
    try {
      const answer = await ask(request);
      note = done ?? (answer !== null && 'note' in answer ? answer.note : '');
    } catch (error) {
      note = error instanceof Error ? error.message : String(error);
    }
    redraw();
  }

  function controlButton(
    control: string,
    button: PageControlButton,
    choice: string | null,
  ): unknown {
    const { id, label, isDanger, isDisabled, isPressed } = button;
    return html`<button
      type="button"
      class="button ${isDanger ? 'danger' : 'secondary'}"
      ?disabled=${isDisabled}
      aria-pressed=${isPressed === null ? nothing : isPressed}
      @click=${() => order({ do: 'control', control, button: id, choice })}
    >
      ${label}
    </button>`;
  }

  function controlPart({ id, title, choice, buttons }: PageControl): unknown {
    const option =
      choice?.options.find(({ value }) => value === chosen.get(id)) ?? choice?.options[0];
    const picker =
      choice === null
        ? nothing
        : html`<label for=${id}>${choice.label}</label>
            <select
              id=${id}
              @change=${({ target }: Event) => {
                if (target instanceof HTMLSelectElement) chosen.set(id, target.value);
                redraw();
              }}
            >
              ${choice.options.map(
                ({ value, label }) =>
                  html`<option value=${value} ?selected=${value === option?.value}>${label}</option>`,
              )}
            </select>
            ${option === undefined ? nothing : html`<p class="style">${option.about}</p>`}`;
    return html`<section aria-labelledby="${id}-title">
      <h3 id="${id}-title">${title}</h3>
      ${picker}
      <div class="buttons">
        ${buttons.map((button) => controlButton(id, button, option?.value ?? null))}
      </div>
      ${option === undefined ? nothing : html`<p class="address">${option.below}</p>`}
    </section>`;
  }

  function channelPart(world: PageWorld, channel: PageChannel): unknown {
    const taken = takenFrom(channel.bot);
    return html`<fieldset>
      <legend>The channel #${channel.name}</legend>
      <label for="permission">The bot here</label>
      <select
        id="permission"
        @change=${({ target }: Event) => {
          const picked = PERMISSIONS.find(
            ([take]) => target instanceof HTMLSelectElement && take === target.value,
          );
          if (!picked) return;
          const [take, label] = picked;
          void order(
            { do: 'permission', channelId: channel.id, take },
            `The bot in #${channel.name}: ${label}.`,
          );
        }}
      >
        ${PERMISSIONS.map(([take, label]) => html`<option value=${take} ?selected=${take === taken}>${label}</option>`)}
      </select>
      <div class="buttons">
        <button
          type="button"
          class="button danger"
          @click=${() => {
            if (isSure) {
              void order(
                { do: 'deleteChannel', channelId: channel.id },
                `#${channel.name} is gone.`,
              );
            }
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
    return channel.direct === null
      ? channelPart(world, channel)
      : directPart(world, channel.direct.isOpen);
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
    element: (
      world: PageWorld,
      controls: readonly PageControl[],
      channel: PageChannel | undefined,
    ): unknown =>
      html`<aside class="panel" aria-label="Move the world">
        <h2>Move the world</h2>
        ${controls.map(controlPart)} ${channelControls(world, channel)}
        <p role="status" class="note">${note}</p>
      </aside>`,
  };
}

/** Returns the first permission that the bot lacks. */
function takenFrom({ view, send, embed }: PageChannel['bot']) {
  if (!view) return 'view';
  if (!send) return 'send';
  return embed ? 'nothing' : 'embed';
}

/** Renders a report about things outside of Discord, provided by the operator of the page. */
export function reportList({ id, title, about, rows }: PageReport): unknown {
  const titleId = `report-${id}`;
  return html`<section class="report" aria-labelledby=${titleId}>
    <h2 id=${titleId}>${title}</h2>
    <p class="style">${about}</p>
    <ol>
      ${rows.map(
        ({ atMs, text, detail, isBad }) =>
          html`<li class=${isBad ? 'rejected' : ''}>
            <time datetime=${new Date(atMs).toISOString()}>${new Date(atMs).toLocaleTimeString('en-GB')}</time>
            <b>${text}</b> <span>${detail}</span>
          </li>`,
      )}
    </ol>
  </section>`;
}

/** Renders the requests that Discord would have rejected or warned about. */
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
