import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';

/** Collectors cut or drop longer lines (Docker's driver splits at 16 kB), and a cut in the middle leaves no JSON. */
const LINE_MAX_CHARACTERS = 16_000;
/** How much of each text is kept in a line that is too long: the first that makes it fit. */
const KEPT_CHARACTERS = [2_000, 500, 100];
const KEPT_ENTRIES = 20;

/**
 * A pino logger that strikes the secrets out of the finished line. Doing it there, and not by field name, also covers
 * the texts of errors from libraries, which no list of paths can foresee. Lines of more than 16,000 characters are cut
 * text by text, and say in `cutFromCharacters` how long they were.
 *
 * @param options `redact` strikes out what must never be written, wherever it is: in a message, error, URL or stack
 */
export function createLog(options: {
  readonly level: LevelWithSilent;
  readonly redact: (line: string) => string;
  readonly destination: DestinationStream;
}): Logger {
  const { level, redact, destination } = options;
  return pino(
    { level, base: null, serializers: { err: errorFields } },
    { write: (line: string) => void destination.write(shortened(redact(line))) },
  );
}

/** The same log, whose lines about a channel also name its guild, as far as that is known. */
export function namingGuilds(log: Logger, guildOf: (channelId: string) => string | undefined): Logger {
  return log.child(
    {},
    {
      formatters: {
        log(fields) {
          const { channel, guild }: { readonly channel?: unknown; readonly guild?: unknown } = fields;
          const known = typeof channel === 'string' && guild === undefined ? guildOf(channel) : undefined;
          return known === undefined ? fields : { ...fields, guild: known };
        },
      },
    },
  );
}

/** An error's fields without the body of the request that failed: it can be long and holds people's texts. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { requestBody: _sent, ...fields } = pino.stdSerializers.err(error);
  return fields;
}

/** The same line, still one JSON object, if it is not too long. */
function shortened(line: string): string {
  if (line.length <= LINE_MAX_CHARACTERS) return line;
  let fields: object;
  try {
    fields = { cutFromCharacters: line.length, ...JSON.parse(line) };
  } catch {
    return `${line.slice(0, LINE_MAX_CHARACTERS)}\n`;
  }
  for (const kept of KEPT_CHARACTERS) {
    const cut = `${JSON.stringify(fields, (_key, value: unknown) => cutValue(value, kept))}\n`;
    if (cut.length <= LINE_MAX_CHARACTERS) return cut;
  }
  const plain = Object.entries(fields).filter(([, value]) => typeof value !== 'object');
  return `${JSON.stringify(Object.fromEntries(plain.slice(0, KEPT_ENTRIES)), (_key, value: unknown) => cutValue(value, 100))}\n`;
}

function cutValue(value: unknown, kept: number): unknown {
  if (typeof value === 'string' && value.length > kept) return `${value.slice(0, kept)}…`;
  if (Array.isArray(value) && value.length > KEPT_ENTRIES) return value.slice(0, KEPT_ENTRIES);
  return value;
}
