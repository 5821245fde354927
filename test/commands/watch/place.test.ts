import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../../commands/shared/context.ts';
import { watch } from '../../../commands/watch.ts';
import type { Place } from '../../../src/discord/place.ts';
import { ENGLISH } from '../../../src/language/language.ts';
import type { ButtonUse, CommandUse } from '../../../src/slash-commands/slash-command.ts';
import { orRefusal } from '../../support/or-refusal.ts';

const PERSON = '@100000000000000001';

/** Why a subcommand is not carried out somewhere; undefined if it is. */
function refusal(subcommand: string, place: Place, mayWatch = true) {
  const interaction = {
    options: { getSubcommand: () => subcommand },
    authorizingIntegrationOwners: { guildId: null, userId: null },
  } as unknown as CommandUse;
  const context = { place, quotas: { mayWatch: () => mayWatch } } as unknown as CommandContext;
  return orRefusal(() => watch.check?.(interaction, context) as undefined);
}

describe('/watch', () => {
  const server: Place = { kind: 'server', ownerId: '200000000000000001' };
  const direct: Place = { kind: 'directMessage', ownerId: PERSON };
  const elsewhere: Place = { kind: 'elsewhere', ownerId: PERSON };

  it('works in servers and direct messages, and says so elsewhere', () => {
    for (const place of [server, direct]) expect(refusal('list', place)).toBeUndefined();
    expect(refusal('list', elsewhere)).toBe(ENGLISH.texts.personal.watchElsewhere);
  });

  it('forgets a person also where private watches are off', () => {
    for (const place of [server, direct]) expect(refusal('delete-data', place)).toBeUndefined();
    expect(refusal('delete-data', elsewhere)).toBe(ENGLISH.texts.personal.watchElsewhere);
    expect(refusal('delete-data', direct, false)).toBeUndefined();
    for (const other of ['list', 'digest', 'status']) {
      expect(refusal(other, direct, false)).toContain('Private alerts are turned off');
    }
    expect(refusal('list', server, false)).toBeUndefined();
  });

  it('takes neither a channel nor a role in a direct message, whatever a client sends', () => {
    const typed = (
      subcommand: string,
      given: { readonly channel?: string; readonly mention?: string },
    ) => {
      const named = (id: string | undefined) => (id === undefined ? null : { id });
      const options = {
        getSubcommand: () => subcommand,
        getChannel: () => named(given.channel),
        getRole: () => named(given.mention),
        getString: (name: string) => (name === 'wallet' ? `0x${'a'.repeat(40)}` : null),
        getNumber: () => null,
        getInteger: () => null,
      };
      const interaction = {
        options,
        guildId: null,
        channelId: '1',
        context: 1,
        authorizingIntegrationOwners: { guildId: '0' },
        user: { id: PERSON.slice(1) },
        inCachedGuild: () => false,
      } as unknown as CommandUse;
      const none = () => [];
      const registry = {
        get: () => undefined,
        kept: () => undefined,
        ofOwner: none,
        ofWallet: none,
        placesNeeded: () => 1,
      };
      const quotas = { mayWatch: () => true, requireSpace: () => {} };
      const labelOf = () => null;
      return () =>
        watch.check?.(interaction, {
          place: direct,
          registry,
          quotas,
          labelOf,
        } as unknown as CommandContext);
    };
    expect(typed('add', {})).not.toThrow();
    for (const subcommand of ['add', 'remove', 'pause', 'scores', 'digest', 'channel']) {
      expect(typed(subcommand, { channel: '2' }), subcommand).toThrow('leave out `channel`');
    }
    expect(typed('add', { mention: '3' })).toThrow('leave out `mention`');
  });

  it('has buttons that work where it does', async () => {
    const press = (place: Place) =>
      watch.press?.({} as ButtonUse, ['list', '0'], {
        place,
        quotas: {},
      } as unknown as CommandContext);
    await expect(press(elsewhere)).rejects.toThrow('works in servers that have invited me');
  });

  it('does what a person does for themselves in turn', async () => {
    const turns: string[] = [];
    const persons = { alone: async (id: string) => void turns.push(id) };
    const interaction = {
      user: { id: 'ada' },
      options: { getSubcommand: () => 'list' },
    } as unknown as CommandUse;
    await watch.execute(
      interaction,
      { place: direct, persons } as unknown as CommandContext,
      undefined,
    );
    expect(turns).toEqual(['ada']);
  });
});
