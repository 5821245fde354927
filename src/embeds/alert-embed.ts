import type { APIEmbed } from 'discord.js';
import type { Alert, Gap } from '../alerts/alert.ts';
import { checksummed, parseAddress } from '../domain/address.ts';
import { transferKind } from '../domain/kinds.ts';
import type { TransferItem } from '../domain/records.ts';
import type { Language } from '../language/language.ts';
import {
  delay,
  EMBED_COLOURS,
  fitUrls,
  footer,
  gapSentence,
  lines,
  present,
  type RenderContext,
  smallPrint,
  timestamp,
  walletLink,
} from './embed-parts.ts';
import { isBridged } from './headline.ts';
import { consensusEmbed, resultEmbed } from './news-embed.ts';
import { escapeText, shortHash } from './text/escape.ts';
import { renderTrade } from './trade-embed.ts';

/** Characters of a description (4,096) for URLs: the text beside them takes fewer than 950 code points in every language. */
const URL_ROOM = 3_100;
const WORD_MAX = 80;

/**
 * The embed of one alert, below the message's text, which it does not repeat. Every figure comes from the item; the venue's
 * texts and the guild's label are escaped and cut, so that the result is within Discord's limits whatever they hold. The
 * footer ends with `#` and the alert's id.
 *
 * @throws RangeError if the alert's id cannot serve as a reference (1 to 200 visible ASCII characters)
 */
export function renderAlert(alert: Alert, context: RenderContext): APIEmbed {
  const { event } = alert;
  switch (event.kind) {
    case 'activity':
      return renderTrade([alert], context);
    case 'transfer':
      return transferEmbed(alert, event.item, context);
    case 'gap':
      return gapEmbed(alert, event.gap, context);
    case 'consensus':
      return consensusEmbed(alert, event.consensus, context);
    case 'result':
      return resultEmbed(alert, event.result, context);
  }
}

/** One deposit or withdrawal, with all that there is to know of it. */
function transferEmbed(alert: Alert, item: TransferItem, context: RenderContext): APIEmbed {
  const { language, links, sentAtMs } = context;
  const { texts, format } = language;
  const kind = transferKind(item.type);
  const [txUrl] = fitUrls(URL_ROOM, links.transaction(item.txHash));
  const owner = walletLink(alert.wallet, links, URL_ROOM - (txUrl?.length ?? 0));
  const { hash, unknownHash, transaction } = texts.alerts.links;
  const amount = format.usdc(item.amount);
  return {
    description: lines(
      ...smallPrint(
        ...(isBridged(item) ? [owner, texts.alerts.transfers.senderUnknown] : [between(owner, item, language)]),
        // The first line has no cents then.
        amount === format.roundUsdc(item.amount) || Number.isInteger(item.amount) ? undefined : amount,
        txUrl === undefined ? hash(shortHash(item.txHash, unknownHash)) : `[${transaction}](${txUrl})`,
      ),
    ),
    color: kind === 'other' ? EMBED_COLOURS.unknown : EMBED_COLOURS[kind],
    footer: footer(alert, delay(item.time, sentAtMs, 'transfer', language)),
    ...timestamp(item.time),
  };
}

/** From whom to whom. */
function between(owner: string, item: TransferItem, language: Language): string {
  const other = counterparty(item, language);
  switch (transferKind(item.type)) {
    case 'deposit':
      return `${other} → ${owner}`;
    case 'withdrawal':
      return `${owner} → ${other}`;
    default:
      return present(owner, other);
  }
}

/** The other side of a transfer. Its address in full: addresses with equal ends are made to deceive. */
function counterparty({ address }: TransferItem, { texts }: Language): string {
  const parsed = parseAddress(address);
  return parsed.ok ? checksummed(parsed.address) : escapeText(address, WORD_MAX, texts.alerts.transfers.unknownAddress);
}

/** A time of which records may be missing. */
function gapEmbed(alert: Alert, gap: Gap, { language, links }: RenderContext): APIEmbed {
  const { gap: texts } = language.texts.alerts;
  return {
    description: lines(
      gapSentence(gap, language),
      ...smallPrint(texts.causes[gap.cause], walletLink(alert.wallet, links, URL_ROOM)),
    ),
    color: EMBED_COLOURS.gap,
    footer: footer(alert, texts.notice),
  };
}
