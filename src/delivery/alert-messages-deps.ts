import type { Alert } from '../alerts/alert.ts';
import type { Decisions } from '../alerts/decisions.ts';
import type { Later } from '../later/later.ts';
import type { ChannelClock } from '../watches/channel-clock.ts';
import type { ChannelQueueStore } from './channel-queue.ts';
import type { Composer } from './messages/compose.ts';
import type { Post } from './post.ts';
import type { Sender } from './sender.ts';

/** Dependencies of the code that turns alerts into messages and lets messages grow. */
export type AlertMessagesDeps = Omit<Composer, 'filteredAlone'> &
  Pick<Sender, 'send' | 'edit' | 'editedAtMs'> & {
    readonly post: Post;
    readonly outbox: Pick<
      Later,
      'pending' | 'acknowledge' | 'channels' | 'release' | 'nextMs' | 'dropUnreleased'
    >;
    /**
     * Time that an alert still waits until its effect on the position is known, in ms; 0 if it does
     * not wait.
     */
    readonly awaitingAnswerMs: (alert: Alert) => number;
    readonly channelQueues: ChannelQueueStore;
    readonly decisions: Decisions;
    readonly clock: ChannelClock;
    /** Called when Discord has accepted the message with these alerts. */
    readonly onArrived: (channelId: string, alerts: readonly Alert[]) => void;
  };
