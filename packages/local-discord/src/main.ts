import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import type { SeenMessage } from './discord/events.ts';
import { CannotDo, startDiscord } from './discord/fake-discord.ts';
import { CALLBACKS } from './discord/forms/callback.ts';
import { plainMessage } from './plain.ts';
import { typedCommands } from './site/commands.ts';
import { readCommand } from './site/typed-line.ts';
import { createView, USUAL_LOCALE } from './site/view.ts';

/** Exit code for wrong usage (EX_USAGE in sysexits.h). */
const EXIT_USAGE = 64;

const USAGE = `Use: npm run discord -- [--port N]
A local Discord for "npm start" with your own settings: a server with a channel, and ada, who administrates it. It prints the
variables that name it, and every message of the bot. Type a command as ada, such as: /watch add wallet:0x… label:Whale

  --port N  port to listen on; a free one if left out
  --help    this text`;

const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Reads lines as typed by ada until Ctrl-C.
 *
 * @param port 0 picks a free port
 */
async function serve(port: number): Promise<void> {
  // A random token, so that no other program or page on this machine can act as the bot.
  const token = randomBytes(24).toString('hex');
  const discord = await startDiscord({ token, port, log: pino({ level: 'silent' }) });
  const { id: guildId } = discord.createGuild({ name: 'Local' });
  const { id: channelId } = discord.createChannel(guildId, { name: 'alerts' });
  const ada = discord.createMember(guildId, { name: 'ada', admin: true });
  const admin = { ref: ada, role: 'admin' } as const;
  const view = createView({
    discord,
    guildId,
    people: [admin],
    title: 'Local Discord',
    languages: [],
  });
  const show = (message: SeenMessage) => say(plainMessage(message, Date.now() / 1000));

  const type = async (text: string) => {
    const commands = typedCommands(discord.offered(ada, channelId), USUAL_LOCALE);
    const { line, values } = readCommand(commands, text, view.world(admin), null);
    const handle = await discord.command(ada, channelId, line, values);
    if ((await handle.acknowledged()) !== CALLBACKS.MODAL) return show(await handle.reply());
    const { title, fields } = await handle.modal();
    const labels = fields.map(({ label }) => label).join(', ');
    say(`A form opens, which only the page of "npm run demo" fills in: ${title} (${labels})`);
  };

  discord.events.on('message', (message) => {
    if (message.author.bot && message.interactionId === null) show(message);
  });
  discord.events.on('rejected', ({ route, reason }) => say(`Discord refused ${route}: ${reason}`));
  const input = createInterface({ input: process.stdin });
  input.on('line', (text) => {
    if (text.trim() === '') return;
    type(text.trim()).catch((error: unknown) => {
      const isExpected = error instanceof CannotDo;
      say(isExpected ? error.message : String(error instanceof Error ? error.message : error));
    });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      input.close();
      discord.close().then(() => process.exit(0));
    });
  }
  say(
    'A local Discord. These name it to the bot, in .env or before "npm start"; the token is new in each run:',
  );
  say(`DISCORD_API_URL=${discord.apiUrl}`);
  say(`DISCORD_TOKEN=${token}`);
}

/** @returns the exit code; undefined while the server runs */
async function main(): Promise<number | undefined> {
  try {
    const { values } = parseArgs({
      options: { port: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help === true) {
      say(USAGE);
      return 0;
    }
    const port = Number(values.port ?? '0');
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new TypeError(`--port is "${values.port}". Accepted: a whole number from 0 to 65535`);
    }
    await serve(port);
    return undefined;
  } catch (error) {
    const isPortFault = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
    if (isPortFault) {
      process.stderr.write(`${error.message}. Choose another --port, or leave it out.\n`);
      return 1;
    }
    process.stderr.write(
      `${error instanceof Error ? error.message.replace(/\.$/, '') : String(error)}.\n${USAGE}\n`,
    );
    return EXIT_USAGE;
  }
}

const exitCode = await main();
if (exitCode !== undefined) process.exit(exitCode);
