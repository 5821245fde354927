import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

export interface LogOptions {
  readonly level: LogLevel;
  /** Strikes out what must never be written, wherever it turns up: in a message, an error, a URL or a stack. */
  readonly redact: (line: string) => string;
  /** Where the lines go. */
  readonly destination: DestinationStream;
}

/**
 * A pino logger that strikes the secrets out of the finished line. Doing it there, and not by field name, also covers
 * the texts of errors from libraries, which no list of paths can foresee.
 */
export function createLog({ level, redact, destination }: LogOptions): Logger {
  return pino(
    { level, base: null, serializers: { err: errorFields } },
    { write: (line: string) => void destination.write(redact(line)) },
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

/** An error's fields without the request that failed: what was to be sent can be long, and is nobody's business. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { requestBody: _sent, ...fields } = pino.stdSerializers.err(error);
  return fields;
}
