import type { SeenMessage } from '@walletbell/local-discord/discord/events';
import type { MemberRef } from '@walletbell/local-discord/discord/fake-discord';
import type { FieldValues, OpenModal } from '@walletbell/local-discord/discord/people/handle';
import { PermissionFlagsBits } from 'discord.js';
import { expect } from 'vitest';
import { type Fixture, idIn, openWatched } from './fixture.ts';

/** Permissions of a member who may change settings. */
export const MANAGING =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.UseApplicationCommands |
  PermissionFlagsBits.ManageGuild;

/** A server that watches one wallet, with the panel of it before the admin. */
export async function openPanel(environment: Record<string, string> = {}) {
  const fixture = await openWatched({ environment });
  const panel = await fixture.say('watch edit', { wallet: 'whale' });
  return { ...fixture, fixture, panel };
}

/** Submits a form, and gives what its message becomes. */
export async function submit(modal: OpenModal, values?: FieldValues): Promise<SeenMessage> {
  return (await modal.submit(values)).reply();
}

/** Fills in a form of a panel, and gives what its message becomes. */
export async function fillIn(
  fixture: Fixture,
  who: MemberRef,
  panel: SeenMessage,
  form: string,
  values: FieldValues,
): Promise<SeenMessage> {
  return submit(await fixture.open(who, panel, `watch:panel:${form}:`), values);
}

/** Submits a form, and gives what the person is told beside the message that it belongs to. */
export async function toldAt(modal: OpenModal, message: SeenMessage, values?: FieldValues) {
  return (await modal.submit(values)).waitFor(({ id }) => id !== message.id);
}

/** Presses a button, and gives what the person is told beside the message. */
export async function toldBy(
  fixture: Fixture,
  who: MemberRef,
  message: SeenMessage,
  start: string,
): Promise<string> {
  const handle = await fixture.discord.press(who, message.id, idIn(message, start));
  const told = await handle.waitFor(({ id }) => id !== message.id);
  expect(told.ephemeralFor).toBe(who.userId);
  return told.content;
}
