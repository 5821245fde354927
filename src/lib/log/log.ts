import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';
import { errorCode, OperatorError } from '../error.ts';

/**
 * Collectors cut or drop longer lines (Docker's driver splits at 16 kB), and a cut in the middle
 * leaves no JSON.
 */
const LINE_MAX_CHARACTERS = 16_000;
/** Lengths to which each text is cut in a line that is too long: the first that makes it fit. */
const KEPT_CHARACTERS = [2_000, 500, 100];
const KEPT_ENTRIES = 20;
const MOST_CAUSES = 10;
/** A line of a stack, below the message. */
const FRAME = /^ {4}at /;

/**
 * Options of pino: a line says an error's message once, where pino repeats it as `msg` and in the
 * stack.
 */
export const ERRORS_ONCE = {
  serializers: { err: errorFields },
  // It repeats the message of the error under this key; ours are all under `err`.
  errorKey: 'error',
};

/**
 * A pino logger that strikes the secrets out of the finished line. Doing it there, and not by field
 * name, also covers the texts of errors from libraries, which no list of paths can foresee. Lines
 * of more than 16,000 characters are cut text by text, and say in `cutFromCharacters` how long they
 * were.
 *
 * @param options `redact` strikes out what must never be written, wherever it is: in a message,
 *   error, URL or stack
 */
export function createLog(options: {
  readonly level: LevelWithSilent;
  readonly redact: (line: string) => string;
  readonly destination: DestinationStream;
}): Logger {
  const { level, redact, destination } = options;
  return pino(
    { level, base: null, ...ERRORS_ONCE },
    { write: (line: string) => void destination.write(shortened(redact(line))) },
  );
}

/** Wraps a log; lines about a channel also name its guild, as far as that is known. */
export function namingGuilds(
  log: Logger,
  guildOf: (channelId: string) => string | undefined,
): Logger {
  return log.child(
    {},
    {
      formatters: {
        log(fields) {
          const { channel, guild }: { readonly channel?: unknown; readonly guild?: unknown } =
            fields;
          const known =
            typeof channel === 'string' && guild === undefined ? guildOf(channel) : undefined;
          return known === undefined ? fields : { ...fields, guild: known };
        },
      },
    },
  );
}

/**
 * An error's fields for a log line: each sentence once, however often a cause repeats it. Without
 * the body of the request that failed, which can be long and holds people's texts.
 */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const errors = withCauses(error);
  const said = { ...ownFields(error), message: messageOf(errors), stack: framesOf(errors) };
  if (error instanceof AggregateError) {
    return { ...said, aggregateErrors: error.errors.map(errorFields) };
  }
  return said;
}

function ownFields(error: Error): object {
  // It says all that there is to say in words.
  if (error instanceof OperatorError) return { type: error.name };
  const { requestBody: _sent, ...fields } = pino.stdSerializers.err(error);
  return fields;
}

/**
 * An error, its cause, the cause of that, and so on: at most ten, as a cause may lead back to
 * itself.
 */
function withCauses(error: Error): readonly Error[] {
  const errors: Error[] = [];
  for (
    let next: unknown = error;
    next instanceof Error && errors.length < MOST_CAUSES;
    next = next.cause
  ) {
    errors.push(next);
  }
  return errors;
}

/** Joins what an error and its causes say, but for what has been said already. */
function messageOf(errors: readonly Error[]): string {
  let said = '';
  for (const { message } of errors) {
    if (said === '') said = message;
    else if (!said.includes(message)) said += `: ${message}`;
  }
  return said;
}

/**
 * The stack frames of an error and its causes, each once, without the messages above them. An error
 * that says what is wrong and what to do has none, nor has a cause of it that carries a code of the
 * system, a library or a server.
 */
function framesOf(errors: readonly Error[]): string | undefined {
  const isExplained = errors[0] instanceof OperatorError;
  const unforeseen = errors.filter((error) => {
    if (error instanceof OperatorError) return false;
    return !isExplained || errorCode(error) === '';
  });
  const frames = unforeseen.flatMap(({ stack = '' }) =>
    stack.split('\n').filter((line) => FRAME.test(line)),
  );
  if (frames.length === 0) return undefined;
  return [...new Set(frames)].join('\n');
}

/** Shortens a line that is too long; it stays one JSON object. */
function shortened(line: string): string {
  if (line.length <= LINE_MAX_CHARACTERS) return line;
  let fields: object;
  try {
    fields = { cutFromCharacters: line.length, ...JSON.parse(line) };
  } catch {
    return `${line.slice(0, LINE_MAX_CHARACTERS)}\n`;
  }
  for (const kept of KEPT_CHARACTERS) {
    const cut = cutLine(fields, kept);
    if (cut.length <= LINE_MAX_CHARACTERS) return cut;
  }
  const plain = Object.entries(fields).filter(([, value]) => typeof value !== 'object');
  return cutLine(Object.fromEntries(plain.slice(0, KEPT_ENTRIES)), 100);
}

function cutLine(fields: object, kept: number): string {
  return `${JSON.stringify(fields, (_key, value: unknown) => cutValue(value, kept))}\n`;
}

function cutValue(value: unknown, kept: number): unknown {
  if (typeof value === 'string' && value.length > kept) return `${value.slice(0, kept)}…`;
  if (Array.isArray(value) && value.length > KEPT_ENTRIES) return value.slice(0, KEPT_ENTRIES);
  return value;
}
