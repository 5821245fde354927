import {
  type APIActionRowComponent,
  type APISelectMenuOption,
  type APIStringSelectComponent,
  ButtonStyle,
  ComponentType,
} from 'discord.js';
import {
  type Alert,
  type AlertGroup,
  alertsIn,
  isOfSeveral,
  type NonEmptyAlerts,
  walletOf,
} from '../alerts/alert.ts';
import { fillsOf, lossOf, sharesTraded } from '../alerts/kinds/activity.ts';
import type { Button, Look } from '../alerts/kinds/kind.ts';
import { kindOf } from '../alerts/kinds/kinds.ts';
import { DETAILS, detailsId, groupsWithDetails, targetOf } from '../details/target.ts';
import { shortAddress, type WalletAddress } from '../domain/address.ts';
import { actionKind } from '../domain/records.ts';
import { marketNameOf, present, type RenderContext, SEPARATOR } from '../embeds/embed-parts.ts';
import { newestOf, outcomeNames, readFlow, sumUp } from '../embeds/item-lines.ts';
import type { OwnLinkValues } from '../embeds/links.ts';
import { plainText, wordAmongFigures } from '../embeds/text/escape.ts';
import { MESSAGE_LIMITS } from '../embeds/text/limits.ts';
import type { Language } from '../language/language.ts';
import { groupBy } from '../lib/group-by.ts';

/** Maximum buttons of a row, in which each wallet of a message has one. */
export const WALLETS_PER_MESSAGE = 5;
/** Maximum lengths of names and words on buttons and in options, in code points. */
const NAME_MAX = 20;
const OPTION_NAME_MAX = 40;
const OPTION_WORD_MAX = 20;

const LISTS = ['activity', 'flows'] as const;

export type ComponentRow =
  | APIActionRowComponent<Button>
  | APIActionRowComponent<APIStringSelectComponent>;

type ButtonContext = Pick<RenderContext, 'labelOf' | 'links' | 'language'>;

/**
 * Returns the buttons and menus under a message of alerts. A single alert has a row: a link to its
 * market, the operator's own link, its details or a list that shows it, and Mute. Several alerts
 * have a menu with the details of each and Mute for each wallet, for at most five wallets; on a
 * phone it takes no more space for ten alerts than for two. In a menu, and with several wallets,
 * labels name the wallet. One of the buttons carries the reference of the first alert.
 */
export function alertButtons(
  groups: readonly AlertGroup[],
  context: ButtonContext,
): ComponentRow[] {
  const detailed = groupsWithDetails(groups);
  const wallets = [...groupBy(groups, walletOf).values()];
  const hasMenu = detailed.length > 1 || (detailed.length > 0 && groups.length > 1);
  const isNamed = hasMenu || wallets.length > 1;
  const isMutable = wallets.length <= WALLETS_PER_MESSAGE && !groups.some(isOfSeveral);
  const muted = isMutable ? wallets : [];
  const mutes = muted.map(([group]) => muteButton(group.alerts[0], isNamed, context));
  if (hasMenu) return [menu(detailed, mutes, context)];
  const [trade] = detailed;
  const [alert, ...others] = trade ?? alertsIn(groups);
  if (alert === undefined) return [];
  const isOne = trade !== undefined || others.length === 0;
  const looksOfMany: readonly Look[] = wallets.length === 1 ? LISTS : [];
  const looks = isOne ? kindOf(alert.event).looks(alert.event) : looksOfMany;
  const leading = looks.flatMap((look) => lookButtons(look, alert.wallet, trade, context));
  if (trade !== undefined) {
    leading.push(button(idOf(trade), context.language.texts.details.buttons.details));
  }
  const rows = wallets.length === 1 ? [[...leading, ...mutes]] : [leading, mutes];
  return rows.filter((buttons) => buttons.length > 0).map((buttons) => buttonRow(...buttons));
}

/** Returns buttons that show a wallet's lists to the person who presses them. */
export function listButtons(wallet: WalletAddress, language: Language): Button[] {
  return LISTS.map((list) => listButton(list, wallet, language));
}

export function buttonRow(...components: Button[]): APIActionRowComponent<Button> {
  return { type: ComponentType.ActionRow, components };
}

/** Whether a component has a custom id; links have none. */
export function hasCustomId(rows: readonly ComponentRow[]): boolean {
  return rows.some(({ components }) => components.some((part) => 'custom_id' in part));
}

/** @param id custom id that a press sends */
export function button(id: string, label: string) {
  return {
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    custom_id: id,
    label,
  } as const;
}

/**
 * Returns the button that mutes a wallet. Its custom id contains the reference of the alert, which
 * only {@link referenceIn} reads.
 */
function muteButton({ wallet, id }: Alert, isNamed: boolean, { labelOf, language }: ButtonContext) {
  const name = isNamed
    ? plainText(labelOf(wallet) ?? '', NAME_MAX, shortAddress(wallet))
    : undefined;
  return button(`watch:mute:${wallet}:${id}`, language.texts.details.buttons.mute(name));
}

/**
 * Returns the reference of the alert that a button or a menu option belongs to; undefined if there
 * is none.
 */
export function referenceIn(customId: string): string | undefined {
  const [name, second, third, fourth] = customId.split(':');
  if (name === DETAILS) return third;
  if (name === 'watch' && second === 'mute') return fourth;
  return undefined;
}

/**
 * Returns the button of a list, or links to a market's page and the operator's own page. Links
 * without a URL are left out.
 */
function lookButtons(
  look: Look,
  wallet: WalletAddress,
  trade: Readonly<NonEmptyAlerts> | undefined,
  { links, language }: ButtonContext,
): Button[] {
  if (typeof look === 'string') return [listButton(look, wallet, language)];
  const market = {
    url: links.market(look.market),
    name: language.texts.details.buttons.openMarket,
  };
  const buttons = [market];
  const own = links.own({ ...look.market, ...ofFills(trade), wallet });
  if (own !== undefined) buttons.push(own);
  const shown: Button[] = [];
  for (const { url, name: label } of buttons) {
    const isShown = url !== undefined && url.length <= MESSAGE_LIMITS.buttonUrl;
    if (isShown) shown.push({ type: ComponentType.Button, style: ButtonStyle.Link, url, label });
  }
  return shown;
}

/**
 * Returns the values of fills for the operator's own link: the outcome if there is only one, and
 * the mean price to a hundredth of a cent.
 */
function ofFills(trade: Readonly<NonEmptyAlerts> | undefined): OwnLinkValues {
  const items = trade === undefined ? [] : fillsOf(trade);
  const [first] = items;
  const priceCents = sumUp(items).averageCents?.toDecimalPlaces(2).toString();
  const { tokenId, conditionId, positionSide: outcome } = first ?? {};
  const isOneOutcome = items.every((item) => item.tokenId === tokenId);
  if (!isOneOutcome) return { conditionId, priceCents };
  return { conditionId, priceCents, tokenId, outcome };
}

function listButton(
  list: (typeof LISTS)[number],
  wallet: WalletAddress,
  { texts }: Language,
): Button {
  return button(`${list}:open:${wallet}`, texts.details.buttons[list]);
}

function idOf(alerts: Readonly<NonEmptyAlerts>): string {
  const [{ wallet, id }] = alerts;
  return detailsId({ wallet, reference: id, target: targetOf(alerts) });
}

/** Returns a menu whose option values are ids of buttons. */
function menu(
  groups: readonly Readonly<NonEmptyAlerts>[],
  mutes: readonly ReturnType<typeof muteButton>[],
  context: ButtonContext,
): APIActionRowComponent<APIStringSelectComponent> {
  return {
    type: ComponentType.ActionRow,
    components: [
      {
        type: ComponentType.StringSelect,
        custom_id: DETAILS,
        placeholder: context.language.texts.details.buttons.menu,
        options: [
          ...groups.map((alerts) => menuOption(alerts, context)),
          ...mutes.map(({ custom_id: value, label }) => ({ value, label, emoji: { name: '🔕' } })),
        ],
      },
    ],
  };
}

/** Returns an option in plain text, because Discord reads no markdown in a menu. */
function menuOption(
  alerts: Readonly<NonEmptyAlerts>,
  { labelOf, language }: ButtonContext,
): APISelectMenuOption {
  const { texts, format } = language;
  const [{ wallet }] = alerts;
  const items = fillsOf(alerts);
  const item = newestOf(items);
  const { headings } = texts.details;
  const kind = actionKind(item.action);
  const name = plainText(labelOf(wallet) ?? '', OPTION_NAME_MAX, shortAddress(wallet));
  const action =
    kind === 'other'
      ? wordAmongFigures(item.action, OPTION_WORD_MAX, headings.other, language, plainText)
      : headings[kind];
  const side = outcomeNames(items, OPTION_WORD_MAX, '', language, plainText);
  const { usdc } = readFlow(sumUp(items).netUsdc.toNumber());
  const loss = lossOf(alerts);
  const summary =
    loss === undefined
      ? [action, side, format.usdc(usdc)].join(' ')
      : texts.alerts.headline.lost(format.usdc(loss.toNumber()), side || undefined);
  const traded = present(...sharesTraded(items, language));
  const title = plainText(
    marketNameOf(item),
    MESSAGE_LIMITS.optionLabel - traded.length - SEPARATOR.length,
    '',
  );
  return {
    label: plainText(`${name} ${summary}`, MESSAGE_LIMITS.optionLabel, action),
    value: idOf(alerts),
    description: present(traded, title || undefined),
  };
}
