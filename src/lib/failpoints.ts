/**
 * Steps of an alert at which a crash leaves it recorded in only one of two places, in order, with
 * the state at each.
 */
const ALERT_STEPS = {
  'poll.detected': 'The page has been compared, nothing is stored.',
  'poll.stored': 'Mark and alerts are stored.',
  'positions.asked': 'The venue is about to be asked for a wallet’s history in a market.',
  'positions.answered': 'It has answered, nothing is stored of it.',
  'positions.stored': 'The answer is stored, alerts that wait for it are not sent.',
  'message.stored': 'What the message holds is stored, nothing is sent.',
  'post.begun': 'The request is about to go out.',
  'post.answered': 'Discord has answered, nothing is stored of it.',
  'sent.stored': 'That the message exists is stored, the alerts still wait in the outbox.',
  'outbox.cleared': 'The alerts are out of the outbox; that all is done is not stored.',
  'edit.stored': 'What is added to a message that is there is stored, nothing is sent.',
  'edit.answered': 'Discord has changed the message, nothing is stored of it.',
  'edit.recorded': 'What the message shows now is stored, the alerts still wait in the outbox.',
  'room.stored': 'Alerts for receivers are in their queue, and still in the wallet’s document.',
  'room.taken_out': 'They are in the queue alone, nothing is posted.',
  'room.posted': 'A receiver has accepted an alert, the queue still has it.',
};

const LATER_STEPS = {
  'later.stored':
    'Alerts for a delayed channel are in its documents, and still in the wallet’s document.',
  'later.taken_out': 'They are in the channel’s documents alone.',
  'later.counted': 'That one was delivered is stored, the channel’s documents still have it.',
};

const OTHER_STEPS = {
  'missed.stored': 'What a channel has missed is stored, its watch that begins is not.',
  'watch.stored': 'The watch is stored as well, nothing is queued.',
  'import.stored': 'One watch of an import is stored, others are not.',
  'digest.stored': 'That a digest is under way is stored, nothing is sent.',
  'copy.stored': 'A document of a copy is stored, others are not.',
  'copy.checked': 'A copy has been checked, and still counts as incomplete.',
  'copy.retired': 'The store that was copied counts as moved, the copy still as incomplete.',
};

export const STEPS = Object.keys(ALERT_STEPS) as (keyof typeof ALERT_STEPS)[];
/** Additional steps of an alert for a delayed channel. */
export const STEPS_LATER = Object.keys(LATER_STEPS) as (keyof typeof LATER_STEPS)[];
export type Step = keyof typeof ALERT_STEPS | keyof typeof LATER_STEPS | keyof typeof OTHER_STEPS;

/** Called at each step, so that tests can crash the process there. */
export type OnFailpoint = (step: Step) => void;

/**
 * Reads the switch by which tests kill the process in the middle of its work: `STEP:N` in
 * WALLETBELL_TEST_KILL_AT sends SIGKILL when the step is reached for the N-th time.
 *
 * @returns a function that does nothing if the switch is not set
 * @throws Error naming the steps, if the value is invalid
 */
export function readFailpoint(): OnFailpoint {
  const text = process.env['WALLETBELL_TEST_KILL_AT'];
  if (text === undefined || text === '') return () => {};
  const [name = '', count = '1'] = text.split(':');
  let left = Number(count);
  const steps = { ...ALERT_STEPS, ...LATER_STEPS, ...OTHER_STEPS };
  if (!Object.hasOwn(steps, name) || !Number.isInteger(left) || left < 1) {
    throw new Error(
      `The kill switch is "${text}". ` +
        `Accepted: STEP:N with one of ${Object.keys(steps).join(', ')}.`,
    );
  }
  return (step) => {
    if (step !== name) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}
