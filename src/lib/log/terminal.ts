import { withoutControls } from '../text/controls.ts';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

interface LogFields {
  readonly level?: number;
  readonly time?: number;
  readonly event?: string;
  readonly msg?: string;
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string };
  readonly [name: string]: unknown;
}

/**
 * Formats a log line for reading on a terminal: `14:02:11 WARN alert.retry attempt=2`, with an
 * error and its stack below it. Control and format characters are removed, because texts from
 * outside must not move the cursor, begin a line or reverse one.
 *
 * @param line JSON, as written by pino; anything else is returned without control characters
 */
export function terminalLine(line: string): string {
  let fields: LogFields;
  try {
    fields = JSON.parse(line);
  } catch {
    return `${withoutControls(line).trimEnd()}\n`;
  }
  const { level = 30, time = 0, event = '', msg = '', err, ...others } = fields;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const named = Object.entries(others).map(
    ([name, value]) => `${name}=${withoutControls(JSON.stringify(value) ?? '')}`,
  );
  const head = [
    clock,
    LEVELS[level] ?? String(level),
    withoutControls(event),
    withoutControls(msg),
    ...named,
  ];
  const { type = 'Error', message = '', stack = '' } = err ?? {};
  const below = message === '' ? [] : `${type}: ${message}`.split('\n');
  below.push(...stack.split('\n').filter((text) => text !== ''));
  const lines = [
    head
      .filter((text) => text !== '')
      .join(' ')
      .trimEnd(),
    ...below.map((text) => `    ${withoutControls(text).trimEnd()}`),
  ];
  return `${lines.join('\n')}\n`;
}
