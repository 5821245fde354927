import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIButtonComponentWithURL,
  type APISelectMenuOption,
  type APIStringSelectComponent,
  ButtonStyle,
  ComponentType,
} from 'discord.js';
import type { Alert } from '../alerts/alert.ts';
import { type AlertGroup, walletOf } from '../alerts/alert-group.ts';
import { fillsOf, type NonEmptyAlerts, sumUp } from '../alerts/group.ts';
import { DETAILS, detailsId, groupsWithDetails, targetOf } from '../details/target.ts';
import { shortAddress, type WalletAddress } from '../domain/address.ts';
import { actionKind } from '../domain/kinds.ts';
import type { Language } from '../language/language.ts';
import { marketNameOf, outcomeNames } from './embed-parts.ts';
import { readFlow } from './flow.ts';
import type { Links } from './links.ts';
import { plainText, wordAmongFigures } from './text/escape.ts';

/** Buttons of a row, in which each wallet of a message has one. */
export const WALLETS_PER_MESSAGE = 5;
/** Code points. */
const NAME_MAX = 60;
const OPTION_NAME_MAX = 40;
const OPTION_WORD_MAX = 20;
const OPTION_MAX = 100;
/** Discord's limit of a link button (its documentation, components/reference). */
const BUTTON_URL_MAX = 512;

type Button = APIButtonComponentWithCustomId | APIButtonComponentWithURL;
export type ComponentRow = APIActionRowComponent<Button> | APIActionRowComponent<APIStringSelectComponent>;

export interface ButtonContext {
  readonly labelOf: (wallet: WalletAddress) => string | undefined;
  readonly links: Links;
  readonly language: Language;
}

/**
 * What stands under a message of alerts. Of one alert a row: its market or transaction by link, its details or a list that
 * shows it, Mute. Of several a menu for the details of each, and a row with Mute for each wallet; with several wallets, labels
 * name the wallet.
 *
 * @param groups of at most five wallets
 */
export function alertButtons(groups: readonly AlertGroup[], context: ButtonContext): ComponentRow[] {
  const detailed = groupsWithDetails(groups);
  const wallets = [...new Set(groups.map(walletOf))];
  const mutes = wallets.map((wallet) => muteButton(wallet, wallets.length > 1, context));
  if (detailed.length > 1) return [detailsMenu(detailed, context), row(mutes)];
  const leading = detailed[0] === undefined ? listed(groups, wallets, context) : tradeButtons(detailed[0], context);
  const rows = wallets.length === 1 ? [[...leading, ...mutes]] : [leading, mutes];
  return rows.filter((buttons) => buttons.length > 0).map(row);
}

/** Buttons that show the lists of a wallet to whoever presses. */
export function listButtons(wallet: WalletAddress, language: Language): APIActionRowComponent<Button> {
  return row([activityButton(wallet, language), flowsButton(wallet, language)]);
}

function row(components: Button[]): APIActionRowComponent<Button> {
  return { type: ComponentType.ActionRow, components };
}

function plainButton(customId: string, label: string): APIButtonComponentWithCustomId {
  return { type: ComponentType.Button, style: ButtonStyle.Secondary, custom_id: customId, label };
}

function linkButton(url: string | undefined, label: string): APIButtonComponentWithURL[] {
  if (url === undefined || url.length > BUTTON_URL_MAX) return [];
  return [{ type: ComponentType.Button, style: ButtonStyle.Link, url, label }];
}

function muteButton(wallet: WalletAddress, isNamed: boolean, { labelOf, language }: ButtonContext): Button {
  const { mute, of } = language.texts.details.buttons;
  const name = plainText(labelOf(wallet) ?? '', NAME_MAX, shortAddress(wallet));
  return plainButton(`watch:mute:${wallet}`, isNamed ? of(mute, name) : mute);
}

function activityButton(wallet: WalletAddress, { texts }: Language): Button {
  return plainButton(`activity:open:${wallet}`, texts.details.buttons.activity);
}

function flowsButton(wallet: WalletAddress, { texts }: Language): Button {
  return plainButton(`flows:open:${wallet}`, texts.details.buttons.flows);
}

function idOf(alerts: Readonly<NonEmptyAlerts>): string {
  const [{ wallet, id }] = alerts;
  return detailsId({ wallet, reference: id, target: targetOf(alerts) });
}

function tradeButtons(alerts: Readonly<NonEmptyAlerts>, { links, language }: ButtonContext): Button[] {
  const { buttons } = language.texts.details;
  const [item] = fillsOf(alerts);
  return [
    ...linkButton(item === undefined ? undefined : links.market(item), buttons.openMarket),
    plainButton(idOf(alerts), buttons.details),
  ];
}

/** Where alerts without details can be looked up. */
function listed(groups: readonly AlertGroup[], wallets: readonly WalletAddress[], context: ButtonContext): Button[] {
  const [alert, ...others] = groups.flatMap(({ alerts }) => alerts);
  const [wallet] = wallets;
  if (alert === undefined || wallet === undefined) return [];
  if (others.length === 0) return otherButtons(alert, context);
  return wallets.length === 1 ? [activityButton(wallet, context.language), flowsButton(wallet, context.language)] : [];
}

/** Of one alert without details: where it can be looked up. */
function otherButtons({ wallet, event }: Alert, { links, language }: ButtonContext): Button[] {
  const { buttons } = language.texts.details;
  switch (event.kind) {
    case 'transfer':
      // Its embed links both the wallet and the transaction.
      return [];
    case 'gap':
      return [event.gap.endpoint === 'activity' ? activityButton(wallet, language) : flowsButton(wallet, language)];
    case 'consensus':
      return linkButton(links.market(event.consensus.market), buttons.openMarket);
    case 'result':
      return [...linkButton(links.market(event.result.market), buttons.openMarket), activityButton(wallet, language)];
    default:
      return [];
  }
}

function detailsMenu(
  groups: readonly Readonly<NonEmptyAlerts>[],
  context: ButtonContext,
): APIActionRowComponent<APIStringSelectComponent> {
  return {
    type: ComponentType.ActionRow,
    components: [
      {
        type: ComponentType.StringSelect,
        custom_id: DETAILS,
        placeholder: context.language.texts.details.buttons.detailsOf,
        options: groups.map((alerts) => menuOption(alerts, context)),
      },
    ],
  };
}

/** Shown as it stands: Discord reads no markdown in a menu. */
function menuOption(
  alerts: Readonly<NonEmptyAlerts>,
  { labelOf, language: { texts, format } }: ButtonContext,
): APISelectMenuOption {
  const [{ wallet }] = alerts;
  const items = fillsOf(alerts);
  const item = items.reduce((a, b) => (b.time >= a.time ? b : a));
  const { headings } = texts.details;
  const kind = actionKind(item.action);
  const name = plainText(labelOf(wallet) ?? '', OPTION_NAME_MAX, shortAddress(wallet));
  const action =
    kind === 'other' ? wordAmongFigures(item.action, OPTION_WORD_MAX, headings.other, plainText) : headings[kind];
  const side = outcomeNames(items, OPTION_WORD_MAX, '', plainText);
  const { usdc } = readFlow(sumUp(items).netUsdc.toNumber());
  const title = plainText(marketNameOf(item), OPTION_MAX, '');
  return {
    label: plainText([name, action, side, format.usdc(usdc)].join(' '), OPTION_MAX, action),
    value: idOf(alerts),
    ...(title === '' ? {} : { description: title }),
  };
}
