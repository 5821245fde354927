import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';
import { errorCode, OperatorError } from '../error.ts';

/**
 * Maximum length of a line, in characters. Collectors cut or drop longer lines (Docker's driver
 * splits at 16 kB), and a cut line is not valid JSON.
 */
const LINE_MAX_CHARACTERS = 16_000;
/** Lengths to which each text of a long line is cut; the first that makes the line fit is used. */
const KEPT_CHARACTERS = [2_000, 500, 100];
const KEPT_ENTRIES = 20;
const MOST_CAUSES = 10;
/** A line of a stack, below the message. */
const FRAME = /^ {4}at /;

/**
 * Options for pino that write an error's message once; pino repeats it as `msg` and in the stack.
 */
export const ERRORS_ONCE = {
  serializers: { err: errorFields },
  // Pino repeats the message of an error under this key; ours are all under `err`.
  errorKey: 'error',
};

/**
 * Creates a pino logger that redacts secrets in the finished line. Unlike redaction by field name,
 * this also covers error texts from libraries, which no list of paths can foresee. In lines of more
 * than 16,000 characters each text is shortened, and `cutFromCharacters` has the original length.
 *
 * @param options `redact` removes what must never be written, wherever it is: in a message, error,
 *   URL or stack
 */
export function createLog({
  level,
  redact,
  destination,
}: {
  readonly level: LevelWithSilent;
  readonly redact: (line: string) => string;
  readonly destination: DestinationStream;
}): Logger {
  return pino(
    { level, base: null, ...ERRORS_ONCE },
    { write: (line: string) => void destination.write(shortened(redact(line))) },
  );
}

/** Wraps a log so that lines about a channel also name its guild, if known. */
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
 * Returns an error's fields for a log line, with each sentence once, however often a cause repeats
 * it. The failed request's body is left out, because it can be long and contains people's texts.
 */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const errors = withCauses(error);
  const fields = { ...ownFields(error), message: messageOf(errors), stack: framesOf(errors) };
  if (error instanceof AggregateError) {
    return { ...fields, aggregateErrors: error.errors.map(errorFields) };
  }
  return fields;
}

function ownFields(error: Error): object {
  // Its message explains everything.
  if (error instanceof OperatorError) return { type: error.name };
  const { requestBody: _sent, ...fields } = pino.stdSerializers.err(error);
  return fields;
}

/** Returns an error with its chain of causes, at most ten, because the chain may be circular. */
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

/** Joins the messages of an error and its causes, without repetitions. */
function messageOf(errors: readonly Error[]): string {
  let joined = '';
  for (const { message } of errors) {
    if (joined === '') joined = message;
    else if (!joined.includes(message)) joined += `: ${message}`;
  }
  return joined;
}

/**
 * Returns the stack frames of an error and its causes, each once, without the messages above them.
 * An error that says what is wrong and what to do has none; nor do its causes with a code of the
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
