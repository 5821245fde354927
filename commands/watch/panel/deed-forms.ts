import {
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  MessageFlags,
} from 'discord.js';
import type { SubmitUse } from '../../../src/slash-commands/slash-command.ts';
import type { Filled } from '../../../src/watches/forms/controls.ts';
import { type Form, formMessage, readForm, shownForm } from '../../../src/watches/forms/form.ts';
import type { ShownForm } from '../../../src/watches/forms/form-id.ts';
import type { Watch } from '../../../src/watches/watch.ts';
import type { Message } from '../../shared/answer.ts';
import type { CommandContext } from '../../shared/context.ts';
import { endOf, PAUSES, pausing, readSeconds } from '../pause.ts';
import { changeWatch } from '../shared/command.ts';
import { decidedTransactions, readTransaction, whyAnswer } from '../why.ts';
import { nameOf, type Panel } from './panels.ts';
import { formParts, orTryAgain } from './submitted.ts';

/** Custom id of the menu of transactions next to the field for one. */
const NEWEST = 'newest';

/** Forms that change no settings, by their buttons. */
export const DEED_FORMS = {
  pause: {
    fields: [{ option: 'for', control: { kind: 'duration', starts: PAUSES }, cleared: '' }],
    texts: {},
  },
  why: {
    fields: [{ option: 'transaction', control: { kind: 'text', most: 100 }, cleared: '' }],
    texts: {},
  },
} as const satisfies Readonly<Record<string, Form>>;
export type DeedName = keyof typeof DEED_FORMS;

/** True for the button of a form that changes no settings. */
export function isDeed(action: string): action is DeedName {
  return Object.hasOwn(DEED_FORMS, action);
}

/**
 * Returns a form that changes no settings.
 * @param again the form as shown before and the submitted values, if it was rejected
 */
export function deedForm(
  name: DeedName,
  watch: Watch,
  context: CommandContext,
  again?: { readonly shown: ShownForm; readonly filled: Filled },
): APIModalInteractionResponseCallbackData {
  const { language } = context;
  const form = DEED_FORMS[name];
  const shown = again?.shown ?? shownForm(form, watch, language);
  const parts = formParts(name, nameOf(watch), context);
  const made = formMessage(form, shown, again ? { ...parts, filled: again.filled } : parts);
  if (name === 'pause') return made;
  const newest = decidedTransactions(watch, context);
  if (newest.length === 0) return made;
  const chosen = again?.filled.get(NEWEST) ?? [];
  const menu = {
    type: ComponentType.Label,
    label: language.texts.watch.panel.newest,
    component: {
      type: ComponentType.StringSelect,
      custom_id: NEWEST,
      required: false,
      min_values: 0,
      max_values: 1,
      options: newest.map(({ name: label, value }) => ({
        label,
        value,
        default: chosen.includes(value),
      })),
    },
  } as const;
  return { ...made, components: [...made.components, menu] };
}

/**
 * Carries out a submitted form that changes no settings.
 * @param args arguments of the form's custom id
 * @returns null if the answer was sent below the panel
 */
export async function submitDeed(
  name: DeedName,
  panel: Panel<Watch>,
  interaction: SubmitUse,
  args: readonly string[],
  filled: Filled,
  context: CommandContext,
): Promise<Message | null> {
  const watch = panel.find();
  const form = DEED_FORMS[name];
  const submitted = { form, action: name, args, filled };
  return orTryAgain<Watch, Message | null>(interaction, panel, submitted, context, async () => {
    const [typed = null] = readForm(form, args, filled).wanted.values();
    if (name === 'pause') return panel.answer(await pause(watch, typed, context));
    const txHash = readTransaction(typed ?? filled.get(NEWEST)?.[0] ?? '', context);
    const asked = { wallet: watch.wallet, txHash, watches: [watch] };
    const answer = await whyAnswer(context, asked);
    await interaction.followUp({ ...answer, flags: MessageFlags.Ephemeral });
    return null;
  });
}

/** @param typed length of the pause; null for a pause without an end */
function pause(watch: Watch, typed: string | null, context: CommandContext): Promise<Watch> {
  const untilSeconds = endOf(readSeconds(typed), context);
  return changeWatch(context, watch, pausing(watch.channelId, untilSeconds, context));
}
