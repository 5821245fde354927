import {
  type APIActionRowComponent,
  type APIStringSelectComponent,
  ComponentType,
} from 'discord.js';
import type { Button } from '../../../src/alerts/kinds/kind.ts';
import { plainText } from '../../../src/embeds/text/escape.ts';
import { MESSAGE_LIMITS } from '../../../src/embeds/text/limits.ts';
import { button, buttonRow } from '../../../src/messages/buttons.ts';
import { subjectArgs } from '../../../src/watches/forms/form-id.ts';
import { FORMS } from '../../../src/watches/settings/setting.ts';
import { isPaused, type Watch } from '../../../src/watches/watch.ts';
import type { CommandContext } from '../../shared/context.ts';
import { labelAndAddress } from '../../shared/wallet-names.ts';
import { mayManage } from '../shared/command.ts';

/** Forms of a watch, in the order of their buttons. */
export const WATCH_FORMS = [...FORMS, 'name'] as const;
export type WatchFormName = (typeof WATCH_FORMS)[number];
/** Forms of a channel, in the order of their buttons. */
export const CHANNEL_FORMS = ['look', 'when', 'consensus', 'words'] as const;
export type ChannelFormName = (typeof CHANNEL_FORMS)[number];
/** Prefix of the custom ids of the panel's buttons and forms. */
export const PANEL = 'watch:panel';

/** Returns the id of a panel button for a watch or a channel. */
export function panelId(action: string, subject: Parameters<typeof subjectArgs>[0]): string {
  return [PANEL, action, ...subjectArgs(subject)].join(':');
}

/** Returns the buttons under the answer to a new watch. */
export function addedRow(
  watch: Pick<Watch, 'channelId' | 'wallet'>,
  { language }: Pick<CommandContext, 'language'>,
) {
  const { buttons } = language.texts.watch.panel;
  return buttonRow(
    button(panelId('example', watch), buttons.example),
    button(panelId('open', watch), buttons.settings),
  );
}

/**
 * Returns the buttons of a watch's panel; none for people who may not press them.
 * @param undo a button that undoes the last change
 */
export function watchRows(watch: Watch, context: CommandContext, undo?: Button) {
  const { place, language } = context;
  if (!mayManage(context)) return [];
  const { buttons } = language.texts.watch.panel;
  const made = (action: keyof typeof buttons) => button(panelId(action, watch), buttons[action]);
  // Direct messages have no roles.
  const forms = FORMS.filter((form) => place.kind === 'server' || form !== 'mention');
  const isOver = !isPaused(watch, context.venueNowSeconds());
  const resume = button(panelId('resume', watch), language.texts.watch.pause.resume);
  const others: Button[] = [made('name'), isOver ? made('pause') : resume];
  others.push(made('why'), made('remove'));
  if (undo !== undefined) others.push(undo);
  return [buttonRow(...forms.map(made)), buttonRow(...others)];
}

/** Returns the buttons of a channel's panel; none for people who may not press them. */
export function channelRows(
  { channelId }: Pick<Watch, 'channelId'>,
  context: CommandContext,
  undo?: Button,
) {
  if (!mayManage(context)) return [];
  const { buttons } = context.language.texts.watch.panel;
  const made: Button[] = CHANNEL_FORMS.map((form) =>
    button(panelId(form, { channelId, wallet: null }), buttons[form]),
  );
  if (undo !== undefined) made.push(undo);
  return [buttonRow(...made)];
}

/**
 * Returns a menu that opens the settings of one of several watches; none for people who may not
 * change them. Each answer's menu has an id of its own, because Discord sends nothing when the same
 * option is chosen again.
 */
export function settingsMenu(
  watches: readonly Watch[],
  context: CommandContext,
): APIActionRowComponent<APIStringSelectComponent>[] {
  const { interaction, language } = context;
  if (!mayManage(context) || watches.length === 0) return [];
  const options = watches.map((watch) => {
    const channel = interaction.guild?.channels.cache.get(watch.channelId)?.name;
    const label = plainText(labelAndAddress(watch), MESSAGE_LIMITS.optionLabel, watch.wallet);
    const value = panelId('open', watch);
    if (channel === undefined) return { label, value };
    return { label, value, description: plainText(`#${channel}`, MESSAGE_LIMITS.optionLabel, '#') };
  });
  const menu: APIStringSelectComponent = {
    type: ComponentType.StringSelect,
    custom_id: menuId(interaction.id),
    placeholder: language.texts.watch.panel.menu,
    options,
  };
  return [{ type: ComponentType.ActionRow, components: [menu] }];
}

/** Returns the id of a menu of {@link settingsMenu}. */
export function menuId(unique: string): string {
  return `watch:list:settings:${unique}`;
}
