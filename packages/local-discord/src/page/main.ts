import { html, nothing, render } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { PageChannel, PageOutcome, PageWorld } from '../site/protocol.ts';
import type { SiteRequest } from '../site/requests.ts';
import { ask } from './api.ts';
import { createComposer } from './composer.ts';
import { headsOf, messageElement, offlineSign } from './message.ts';
import { createModalView } from './modal.ts';
import { complaintLog, createPanel, reportList } from './panel.ts';
import { statusStrip } from './status.ts';
import { createStore, signOf } from './store.ts';

const CLOCK_MS = 1_000;
/** Within this distance from its end a list of messages scrolls along with new messages. */
const NEAR_END_PX = 120;

function start(root: HTMLElement): void {
  let trouble: string | null = null;
  let isAtEnd = true;
  let lastTop = 0;
  let isUnfolded = false;
  let shownChannelId: string | null = null;
  let shownPerson: string | null = null;
  const store = createStore(draw);
  const { state } = store;
  const redraw = () => store.change({});
  const modal = createModalView(redraw);
  const composer = createComposer(redraw, goToEnd, show);
  const panel = createPanel(redraw);

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    trouble = null;
    try {
      await work();
    } catch (error) {
      trouble = error instanceof Error ? error.message : String(error);
    }
    redraw();
  }

  /** Shows the immediate outcome of a command. */
  function show({ unanswered, modal: opened }: PageOutcome): void {
    if (unanswered !== null) store.show(unanswered);
    if (opened !== null) modal.open(opened);
  }

  function openChannel(channelId: string): void {
    store.openChannel(channelId);
    composer.reset();
  }

  function people({ people: all, me }: PageWorld): unknown {
    return html`<label class="people"
      >You are
      <select
        id="person"
        @change=${({ target }: Event) => {
          if (!(target instanceof HTMLSelectElement)) return;
          composer.reset();
          store.follow(target.value);
        }}
      >
        ${all.map(({ id, name, role }) => html`<option value=${id} ?selected=${id === me.id}>${name} (${role})</option>`)}
      </select></label
    >`;
  }

  function languages({ languages: all, me }: PageWorld): unknown {
    return html`<label class="people"
      >Language
      <select
        id="language"
        @change=${({ target }: Event) => {
          if (!(target instanceof HTMLSelectElement)) return;
          const locale = all.find((language) => language.locale === target.value)?.locale;
          if (locale === undefined) return;
          composer.reset();
          void attempt(() => ask({ do: 'language', as: me.id, locale }));
        }}
      >
        ${all.map(
          ({ locale, name }) =>
            html`<option lang=${locale} value=${locale} ?selected=${locale === me.locale}>${name}</option>`,
        )}
      </select></label
    >`;
  }

  function channelButton(channel: PageChannel): unknown {
    const { id, name, bot, direct } = channel;
    const isHere = id === state.channelId;
    const isUnread = state.unread.has(id) && !isHere;
    const kind =
      direct === null
        ? nothing
        : html`<span class="for-readers"> (direct message)</span>${offlineSign(state.world)}`;
    const dot = isUnread ? html`<span class="dot"> (new)</span>` : nothing;
    const muted =
      bot.send && bot.embed ? nothing : html`<span title="The bot may not write here"> 🔇</span>`;
    return html`<button
      type="button"
      aria-current=${isHere ? 'page' : nothing}
      class=${isUnread ? 'unread' : ''}
      @click=${() => openChannel(id)}
    >
      <span aria-hidden="true">${signOf(channel)} </span>${name}${kind}${dot}${muted}
    </button>`;
  }

  function channelList(world: PageWorld): unknown {
    return html`<nav aria-label="Channels">
      <h2>${world.guildName}</h2>
      <ul>
        ${world.channels.map((channel) => html`<li>${channelButton(channel)}</li>`)}
      </ul>
    </nav>`;
  }

  function messages(world: PageWorld, channel: PageChannel): unknown {
    const shown = (state.messages.get(channel.id) ?? []).filter(
      ({ id }) => !state.dismissed.has(id),
    );
    const heads = headsOf(shown);
    const as = world.me.id;
    /** @returns whether the bot has answered */
    const press = async (
      messageId: string,
      request: Extract<SiteRequest, { readonly do: 'press' | 'select' }>,
    ): Promise<boolean> => {
      let isAnswered = false;
      await attempt(async () => {
        const outcome = await ask(request);
        isAnswered = outcome.unanswered === null;
        store.noteAnswer(messageId, isAnswered);
        if (outcome.modal !== null) modal.open(outcome.modal);
      });
      return isAnswered;
    };
    const context = {
      world,
      locale: world.me.locale,
      nowMs: state.nowMs,
      onPress: (messageId: string, customId: string) =>
        void press(messageId, { do: 'press', as, messageId, customId }),
      onSelect: (messageId: string, customId: string, values: readonly string[]) =>
        press(messageId, { do: 'select', as, messageId, customId, values: [...values] }),
      onDismiss: store.dismiss,
      onLookUp: (messageId: string) =>
        void attempt(async () => show(await ask({ do: 'useOnMessage', as, messageId }))),
    };
    return html`<div class="log"><div
      class="messages"
      role="log"
      tabindex="0"
      aria-label="Messages in ${signOf(channel)}${channel.name}"
      @scroll=${({ target }: Event) => {
        if (target instanceof Element) noteScroll(target);
      }}
      @load=${{ handleEvent: followEnd, capture: true }}
    >
      ${repeat(
        shown,
        ({ id }) => id,
        (message) =>
          messageElement(message, context, {
            isHead: heads.has(message.id),
            isFailed: state.failed.has(message.id),
          }),
      )}
    </div>${isAtEnd ? nothing : html`<button type="button" class="jump" @click=${jump}>Jump to present ↓</button>`}</div>`;
  }

  function jump(): void {
    goToEnd();
    redraw();
    root.querySelector<HTMLElement>('.messages')?.focus();
  }

  function conversation(world: PageWorld): unknown {
    const channel = world.channels.find(({ id }) => id === state.channelId);
    return html`<main>
      <h1>${channel ? html`<span aria-hidden="true">${signOf(channel)} </span>${channel.name}` : 'No channel'}</h1>
      ${channel ? messages(world, channel) : html`<p>There is no channel that ${world.me.name} can see.</p>`}
      ${trouble === null ? nothing : html`<p class="error" role="alert">${trouble}</p>`}
      ${channel ? composer.element({ world, channelId: channel.id }) : nothing}
    </main>`;
  }

  /** Renders the button for phones, which cannot show the controls and the alerts at once. */
  function foldButton(): unknown {
    return html`<button
      type="button"
      class="fold button secondary"
      aria-expanded=${isUnfolded}
      aria-controls="side"
      @click=${() => {
        isUnfolded = !isUnfolded;
        redraw();
      }}
    >
      ${isUnfolded ? 'Back to the alerts' : 'Controls'}
    </button>`;
  }

  function draw(): void {
    const { world, status } = state;
    if (world === null || status === null) {
      render(html`<p class="waiting" role="status">Connecting…</p>`, root);
      return;
    }
    const channel = world.channels.find(({ id }) => id === state.channelId);
    // Command names differ by language, and not everyone may use all commands.
    const person = `${world.me.id} ${world.me.locale}`;
    if (person !== shownPerson && channel) composer.refresh({ world, channelId: channel.id });
    shownPerson = person;
    document.title = world.title;
    render(
      html`<header>
          <span class="brand"
            ><img src="/pictures/bot.svg" alt="" width="28" height="28"><b>${world.title}</b></span
          >
          <div class="settings">
            ${people(world)} ${languages(world)} ${statusStrip(status.figures, state.isConnected, state.nowMs)}
          </div>
          ${foldButton()}
        </header>
        ${channelList(world)} ${conversation(world)}
        <div class="side" id="side">
          ${panel.element(world, status.controls, channel)} ${status.reports.map(reportList)} ${complaintLog(state.complaints, store.clearComplaints)}
        </div>
        ${modal.element({ world, locale: world.me.locale, nowMs: state.nowMs })}`,
      root,
    );
    root.classList.toggle('unfolded', isUnfolded);
    if (state.channelId !== shownChannelId) goToEnd();
    shownChannelId = state.channelId;
    followEnd();
  }

  /**
   * Notes whether the list is at its end. Only scrolling upwards leaves the end; a list that has
   * grown is still there.
   */
  function noteScroll(list: Element): void {
    const isNear = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
    const wasAtEnd = isAtEnd;
    isAtEnd = isNear || (isAtEnd && list.scrollTop >= lastTop);
    lastTop = list.scrollTop;
    if (isAtEnd !== wasAtEnd) redraw();
  }

  /** Makes the next drawing scroll to the end, whatever the current position. */
  function goToEnd(): void {
    isAtEnd = true;
    lastTop = 0;
  }

  function followEnd(): void {
    requestAnimationFrame(scrollToEnd);
  }

  function scrollToEnd(): void {
    const list = root.querySelector('.messages');
    if (!list) return;
    // The person may have scrolled since this was scheduled, and that scroll event may still be
    // pending.
    noteScroll(list);
    if (!isAtEnd) return;
    list.scrollTop = list.scrollHeight;
    lastTop = list.scrollTop;
  }

  addEventListener('resize', followEnd);
  // As in Discord, typing anywhere goes into the line.
  addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey, target }) => {
    const isElsewhere = target instanceof Element && !target.matches('input, select, textarea');
    if (isElsewhere && key.length === 1 && key !== ' ' && !(ctrlKey || metaKey || altKey)) {
      document.getElementById('composer')?.focus();
    }
  });
  setInterval(() => store.change({ nowMs: Date.now() }), CLOCK_MS);
  store.follow();
}

const root = document.getElementById('app');
if (root) start(root);
