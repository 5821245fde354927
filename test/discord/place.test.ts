import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registrySeenBy } from '../../src/discord/permissions.ts';
import { placeOf } from '../../src/discord/place.ts';
import type { WalletAddress } from '../../src/domain/address.ts';
import type { CommandUse } from '../../src/slash-commands/slash-command.ts';
import { ownerIdSchema, personOf, personOwner } from '../../src/watches/owner.ts';
import type { Registry } from '../../src/watches/registry.ts';
import type { Watch } from '../../src/watches/watch.ts';

const GUILD = '100000000000000001';
const USER = '200000000000000002';
const PERSON = `@${USER}`;

/**
 * @param installed through which the interaction came: the server (`0` in a direct message), and
 * the person
 */
const placed = (
  guildId: string | null,
  context: 0 | 1 | 2,
  installed: { guildId: string | null; userId: string | null },
  guild: object | null = null,
) =>
  placeOf({
    guildId,
    guild,
    context,
    authorizingIntegrationOwners: installed,
    user: { id: USER },
  } as never);

describe('where somebody uses the bot', () => {
  it.each([
    ['a server that has invited it', GUILD, 0, GUILD, null, 'server', GUILD],
    ['such a server, by somebody who has installed it', GUILD, 0, GUILD, USER, 'server', GUILD],
    ['a server without it', GUILD, 0, null, USER, 'elsewhere', PERSON],
    ['the direct message, through a shared server', null, 1, '0', null, 'directMessage', PERSON],
    ['the direct message, through an installation', null, 1, null, USER, 'directMessage', PERSON],
    ['another private channel', null, 2, null, USER, 'elsewhere', PERSON],
  ] as const)('is %s', (_name, guildId, context, ofGuild, ofUser, kind, ownerId) => {
    expect(placed(guildId, context, { guildId: ofGuild, userId: ofUser })).toEqual({
      kind,
      ownerId,
    });
  });

  it('is a server that the bot is in, also where nobody is named who has installed it', () => {
    const nobody = { guildId: null, userId: null };
    expect(placed(GUILD, 0, nobody, {})).toEqual({ kind: 'server', ownerId: GUILD });
    expect(placed(GUILD, 0, nobody, null)).toEqual({ kind: 'elsewhere', ownerId: PERSON });
    expect(placed(GUILD, 0, { guildId: null, userId: USER }, {}).kind).toBe('elsewhere');
  });

  it('decides whose watches somebody is shown', () => {
    const watches = [
      { ownerId: GUILD, channelId: '1' },
      { ownerId: PERSON, channelId: '2' },
      { ownerId: '@300000000000000003', channelId: '3' },
    ] as Watch[];
    const registry = {
      ofOwner: (ownerId: string) => watches.filter((watch) => watch.ownerId === ownerId),
      ofWallet: () => watches,
    } as unknown as Registry;
    const interaction = {
      guildId: null,
      channelId: '2',
      context: 1,
      authorizingIntegrationOwners: { guildId: null, userId: USER },
      user: { id: USER },
      inCachedGuild: () => false,
    } as unknown as CommandUse;
    const seen = registrySeenBy(interaction, registry);
    expect(seen.ofOwner(PERSON)).toEqual([watches[1]]);
    expect(seen.ofOwner(GUILD)).toEqual([]);
    expect(seen.ofOwner('@300000000000000003')).toEqual([]);
    expect(seen.ofWallet(`0x${'a'.repeat(40)}` as WalletAddress)).toEqual([watches[1]]);
  });

  it('has one owner, and a person is never taken for a server', () => {
    const ids = fc.bigInt({ min: 10n ** 16n, max: 10n ** 20n - 1n }).map(String);
    fc.assert(
      fc.property(ids, (id) => {
        expect(personOf(id)).toBeNull();
        expect(personOf(personOwner(id))).toBe(id);
        expect(personOwner(id)).not.toBe(id);
        for (const ownerId of [id, personOwner(id)])
          expect(ownerIdSchema.safeParse(ownerId).success).toBe(true);
      }),
    );
    for (const bad of ['', '@', '@@100000000000000001', '100', `${GUILD}:x`]) {
      expect(ownerIdSchema.safeParse(bad).success, bad).toBe(false);
    }
  });
});
