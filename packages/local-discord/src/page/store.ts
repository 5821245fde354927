import type {
  PageChannel,
  PageComplaint,
  PageMessage,
  PageStatus,
  PageWorld,
  SiteEvent,
} from '../site/protocol.ts';

const MESSAGES_KEPT = 150;

/** The page's state; fields are replaced as events arrive. */
export interface State {
  isConnected: boolean;
  /** Null until the first snapshot. */
  world: PageWorld | null;
  status: PageStatus | null;
  /** Messages by channel, oldest first. */
  messages: ReadonlyMap<string, readonly PageMessage[]>;
  complaints: readonly PageComplaint[];
  channelId: string | null;
  /** Messages that arrived while another channel was open. */
  unread: ReadonlySet<string>;
  /** Messages with a component whose last use got no response. */
  failed: ReadonlySet<string>;
  /** Ephemeral messages that the person has dismissed. */
  dismissed: ReadonlySet<string>;
  nowMs: number;
}

/**
 * Creates a store that updates the state from the server's events, and calls back after changes, at
 * most once per turn of the event loop.
 */
export function createStore(onChange: () => void) {
  const state: State = {
    isConnected: false,
    world: null,
    status: null,
    messages: new Map(),
    complaints: [],
    channelId: null,
    unread: new Set(),
    failed: new Set(),
    dismissed: new Set(),
    nowMs: Date.now(),
  };
  let source: EventSource | null = null;
  let isScheduled = false;

  function change(changes: Partial<State>): void {
    Object.assign(state, changes);
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      onChange();
    });
  }

  function worldChanges(world: PageWorld): Partial<State> {
    const isThere = world.channels.some(({ id }) => id === state.channelId);
    return { world, channelId: isThere ? state.channelId : (world.channels[0]?.id ?? null) };
  }

  /** Returns the changed fields of the state. */
  function changesBy(event: SiteEvent): Partial<State> {
    switch (event.kind) {
      case 'snapshot':
        return {
          ...worldChanges(event.world),
          isConnected: true,
          status: event.status,
          complaints: event.complaints,
          messages: byChannel(event.messages),
        };
      case 'world':
        return worldChanges(event.world);
      case 'message': {
        const { message } = event;
        const present = state.messages.get(message.channelId) ?? [];
        const isKnown = present.some(({ id }) => id === message.id);
        const next = isKnown
          ? present.map((other) => (other.id === message.id ? message : other))
          : [...present, message].slice(-MESSAGES_KEPT);
        const isElsewhere = !isKnown && message.channelId !== state.channelId;
        return {
          messages: new Map(state.messages).set(message.channelId, next),
          ...(isElsewhere ? { unread: new Set(state.unread).add(message.channelId) } : {}),
        };
      }
      case 'deleted':
        return {
          messages: new Map(
            [...state.messages].map(([channelId, list]) => [
              channelId,
              list.filter(({ id }) => id !== event.messageId),
            ]),
          ),
        };
      case 'complaint':
        return { complaints: [...state.complaints, event.complaint] };
      case 'status':
        return { status: event.status };
    }
  }

  return {
    state,
    change,
    /**
     * Starts showing the server as this person sees it; by default the first person. All later
     * actions are this person's.
     */
    follow(personId?: string): void {
      source?.close();
      const { world } = state;
      const me = world?.people.find(({ id }) => id === personId);
      if (world && me) change({ world: { ...world, me } });
      source = new EventSource(personId === undefined ? '/events' : `/events?as=${personId}`);
      source.onmessage = ({ data }) => {
        const event: SiteEvent = JSON.parse(data);
        change(changesBy(event));
      };
      source.onerror = () => change({ isConnected: false });
    },
    openChannel(channelId: string): void {
      const unread = new Set(state.unread);
      unread.delete(channelId);
      change({ channelId, unread });
    },
    /** Shows a message that no event delivers: Discord's error if the bot does not respond. */
    show: (message: PageMessage) => change(changesBy({ kind: 'message', message })),
    noteAnswer(messageId: string, isAnswered: boolean): void {
      const failed = new Set(state.failed);
      if (isAnswered) failed.delete(messageId);
      else failed.add(messageId);
      change({ failed });
    },
    dismiss: (messageId: string) => change({ dismissed: new Set(state.dismissed).add(messageId) }),
    clearComplaints: () => change({ complaints: [] }),
  };
}

/** Returns the sign before a channel's name; direct messages have a person's name. */
export function signOf({ direct }: Pick<PageChannel, 'direct'>): string {
  return direct === null ? '#' : '@';
}

function byChannel(messages: readonly PageMessage[]): Map<string, PageMessage[]> {
  const grouped = new Map<string, PageMessage[]>();
  for (const message of messages) {
    const list = grouped.get(message.channelId);
    if (list) list.push(message);
    else grouped.set(message.channelId, [message]);
  }
  return grouped;
}
