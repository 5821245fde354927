/** The instants on an alert's way between which something is on one side only, in their order. */
export const STEPS = [
  /** The page has been compared, nothing is stored. */
  'poll.detected',
  /** Mark and alerts are stored. */
  'poll.stored',
  /** The venue is about to be asked for a wallet's history in a market. */
  'positions.asked',
  /** It has answered, nothing is stored of it. */
  'positions.answered',
  /** The answer is stored, alerts that wait for it are not sent. */
  'positions.stored',
  /** What the message holds is stored, nothing is sent. */
  'message.stored',
  /** The request is about to go out. */
  'post.begun',
  /** Discord has answered, nothing is stored of it. */
  'post.answered',
  /** That the message exists is stored, the alerts still wait in the outbox. */
  'sent.stored',
  /** The alerts are out of the outbox, the message still counts as under way. */
  'outbox.cleared',
  /** All is done. */
  'message.cleared',
  /** What is added to a message that is there is stored, nothing is sent. */
  'edit.stored',
  /** Discord has changed the message, nothing is stored of it. */
  'edit.answered',
  /** What the message shows now is stored, the alerts still wait in the outbox. */
  'edit.recorded',
  /** All is done. */
  'edit.cleared',
] as const;

/** Instants off that way. */
const OTHER_STEPS = [
  /** What a channel has missed is stored, its watch that begins is not. */
  'missed.stored',
  /** The watch is stored as well, nothing is queued. */
  'watch.stored',
  /** One watch of an import is stored, others are not. */
  'import.stored',
  /** That a digest is under way is stored, nothing is sent. */
  'digest.stored',
  /** Discord has answered, nothing is stored of it. */
  'digest.answered',
  /** A document of a copy is stored, others are not. */
  'copy.stored',
  /** A copy has been checked, and still counts as incomplete. */
  'copy.checked',
  /** The store that was copied counts as moved, the copy still as incomplete. */
  'copy.retired',
] as const;

export type Step = (typeof STEPS)[number] | (typeof OTHER_STEPS)[number];

/** Called when a step is reached, so that a crash can be tried at each of them. */
export type OnFailpoint = (step: Step) => void;

/**
 * Reads the switch by which tests end the process in the middle of its work: `STEP:N` kills it with SIGKILL when the
 * step is reached for the N-th time.
 *
 * @returns a function that does nothing if the switch is not set
 * @throws Error that names the steps, if it is set to something else
 */
export function readFailpoint(text: string | undefined, kill: () => void): OnFailpoint {
  if (text === undefined || text === '') return () => {};
  const [name = '', count = '1'] = text.split(':');
  let left = Number(count);
  const steps = [...STEPS, ...OTHER_STEPS];
  if (!steps.some((step) => step === name) || !Number.isInteger(left) || left < 1) {
    throw new Error(`The kill switch is "${text}". Accepted: STEP:N with one of ${steps.join(', ')}.`);
  }
  return (step) => {
    if (step !== name) return;
    left -= 1;
    if (left === 0) kill();
  };
}
