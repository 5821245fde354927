import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { MemberRef } from '@walletbell/local-discord/discord/fake-discord';
import type { FieldValues } from '@walletbell/local-discord/discord/people/handle';
import { PermissionFlagsBits } from 'discord.js';
import type { Fixture } from './fixture.ts';

/** Permissions of a member who may change settings. */
export const MANAGING =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.UseApplicationCommands |
  PermissionFlagsBits.ManageGuild;

/** Fills in a form of a panel, and gives what its message becomes. */
export async function fillIn(
  fixture: Fixture,
  who: MemberRef,
  panel: SeenMessage,
  form: string,
  values: FieldValues,
): Promise<SeenMessage> {
  const modal = await fixture.open(who, panel, `watch:panel:${form}:`);
  return (await modal.submit(values)).reply();
}
