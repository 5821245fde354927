import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createUses, type UsesParts } from '../../src/discord/uses.ts';
import type {
  ButtonUse,
  CommandUse,
  MessageUse,
  SlashCommand,
  SubmitUse,
} from '../../src/slash-commands/slash-command.ts';
import { testMachine } from '../support/machine.ts';

const GUILD = '100000000000000001';

/** Uses of one command, a button of it, a button of nobody's, and a command on a message. */
function openUses(whenKnown: UsesParts<object>['whenKnown']) {
  const done: string[] = [];
  const does = (what: string) => async () => void done.push(what);
  const command = {
    definition: { name: 'watch' },
    isPrivate: () => true,
    worksUnread: (subcommand: string | null) => subcommand === 'status',
    execute: does('command'),
    press: does('press'),
    forms: {
      isOpenedBy: ([what]: readonly string[]) => what === 'form',
      open() {
        done.push('form');
        return {};
      },
      submit: does('submit'),
    },
  };
  const uses = createUses(testMachine(), {
    commands: [command as unknown as SlashCommand<object>],
    messageCommands: [{ definition: { name: 'Look up' }, answer: does('message') } as never],
    components: [{ name: 'details', answer: does('component') } as never],
    contextOf: () => ({}),
    whenKnown,
    quotas: { use() {}, mayComplete: () => true },
    onAccepted() {},
    onDone() {},
    onEnd() {},
  });
  const shown = async () => void done.push('shown');
  const use = {
    guildId: GUILD,
    guild: { id: GUILD },
    authorizingIntegrationOwners: { guildId: GUILD, userId: null },
    user: { id: '2' },
    isButton: () => true,
    deferReply: shown,
    deferUpdate: shown,
    showModal: async () => void done.push('shown'),
    options: { getSubcommand: () => null },
  };
  const on = (more: object) => ({ ...use, ...more }) as unknown;
  return {
    done,
    all: {
      command: () => uses.run(on({ commandName: 'watch' }) as CommandUse),
      press: () => uses.press(on({ customId: 'watch:1' }) as ButtonUse),
      status: () =>
        uses.run(
          on({ commandName: 'watch', options: { getSubcommand: () => 'status' } }) as CommandUse,
        ),
      statusPress: () => uses.press(on({ customId: 'watch:status:all' }) as ButtonUse),
      form: () => uses.press(on({ customId: 'watch:form' }) as ButtonUse),
      submit: () => uses.submit(on({ customId: 'watch:form', message: null }) as SubmitUse),
      component: () => uses.press(on({ customId: 'details:1' }) as ButtonUse),
      message: () => uses.runOnMessage(on({ commandName: 'Look up' }) as MessageUse),
    },
  };
}

it.each(['command', 'press', 'component', 'message', 'submit'] as const)(
  'a %s is shown at once, and answered once what is stored of its server is known',
  async (kind) => {
    let isKnown = () => {};
    const asked: string[] = [];
    const { done, all } = openUses((ownerId) => {
      asked.push(ownerId);
      return new Promise((resolve) => {
        isKnown = resolve;
      });
    });
    const answered = all[kind]();
    await turn();
    expect([done, asked]).toEqual([['shown'], [GUILD]]);
    isKnown();
    await answered;
    expect(done).toEqual(['shown', kind]);
  },
);

it.each(['status', 'statusPress'] as const)(
  'a %s that says how the bot is doing waits for no wallet',
  async (kind) => {
    const { done, all } = openUses(() => new Promise(() => {}));
    await all[kind]();
    expect(done).toEqual(['shown', kind === 'status' ? 'command' : 'press']);
  },
);

it('a form is the first answer to a press, and waits for nothing', async () => {
  const { done, all } = openUses(() => new Promise(() => {}));
  await all.form();
  expect(done).toEqual(['form', 'shown']);
});
