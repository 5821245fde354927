import * as z from 'zod';
import { checksummed, parseAddress, shortAddress } from '../../domain/address.ts';
import { isTxHash, transferDirection, transferItemSchema } from '../../domain/records.ts';
import {
  EMBED_COLOURS,
  fitUrls,
  present,
  smallPrint,
  walletLink,
} from '../../embeds/embed-parts.ts';
import { counterparty, isBridged, showsOther, transactionLink } from '../../embeds/item-lines.ts';
import { escapeText, maskedLink, shortTxHash, wordAmongFigures } from '../../embeds/text/escape.ts';
import { type AlertKind, countText, spaced } from './kind.ts';

const EMOJI = { deposit: '📥', withdrawal: '📤', other: '⚪' } as const;
/**
 * Maximum length of all URLs together, in characters. A description has 4,096, and its other text
 * has fewer than 950 code points in every language.
 */
const URL_MAX = 3_100;
const WORD_MAX = 24;
/** Maximum number of code points shown of an invalid address. */
const ADDRESS_MAX = 80;

const schema = z.object({ kind: z.literal('transfer'), item: transferItemSchema });

export const transferKind: AlertKind<z.infer<typeof schema>> = {
  schema,
  seconds: ({ item }) => [item.time, item.time],
  endpoint: () => 'deposits-withdrawals',
  usdc: ({ item }) => item.amount,
  isForNewcomer: ({ item }, _watch, fromSeconds) => item.time >= fromSeconds,
  /**
   * `📥 Whale deposited **$834** via bridge`. A list line also has the other party's address,
   * linked to the transaction. On a lock screen an address would say nothing.
   */
  headline({ event: { item } }, language, links) {
    const { headline } = language.texts.alerts;
    const kind = transferDirection(item.type);
    const amount = `**${language.format.roundUsdc(item.amount)}**`;
    const move = () => {
      if (kind !== 'other') return headline[kind](amount);
      const word = wordAmongFigures(item.type, WORD_MAX, headline.unknownTransfer, language);
      return headline.otherTransfer(word, amount);
    };
    const say = () => {
      if (links === undefined && !isBridged(item)) return move();
      if (!showsOther(item)) {
        const [transaction] = links === undefined ? [] : transactionLink(item, links, language);
        return transaction === undefined ? move() : headline.moved(move(), transaction);
      }
      const other = counterparty(item, language, WORD_MAX, links?.transaction(item.txHash));
      return headline.moved(move(), other);
    };
    const sentence = say();
    return { emoji: EMOJI[kind], says: (wallet) => spaced(wallet, sentence) };
  },
  rest({ event: { item } }, { links, language, isAbove }) {
    if (!isAbove) return [];
    const transaction = transactionLink(item, links, language);
    if (isBridged(item) || !showsOther(item)) return transaction;
    return [counterparty(item, language, WORD_MAX), ...transaction];
  },
  embed({ event: { item }, alerts: [alert] }, { language, links, late }) {
    const { format, texts } = language;
    const { transfers, links: linkTexts } = texts.alerts;
    const kind = transferDirection(item.type);
    const parsed = parseAddress(item.address);
    const [txUrl, otherUrl] = fitUrls(
      URL_MAX,
      links.transaction(item.txHash),
      parsed.ok ? links.wallet(parsed.address) : undefined,
    );
    const owner = walletLink(
      alert.wallet,
      links,
      URL_MAX - (txUrl?.length ?? 0) - (otherUrl?.length ?? 0),
    );
    const nameOther = () => {
      if (!parsed.ok) return escapeText(item.address, ADDRESS_MAX, transfers.unknownAddress);
      // Shown in full if not linked, because scammers create addresses that begin and end alike.
      const name = otherUrl === undefined ? checksummed : shortAddress;
      return maskedLink(name(parsed.address), otherUrl, ADDRESS_MAX, '');
    };
    const other = nameOther();
    const between = {
      deposit: `${other} → ${owner}`,
      withdrawal: `${owner} → ${other}`,
      other: present(owner, other),
    };
    const amount = format.usdc(item.amount);
    const isExact = amount === format.roundUsdc(item.amount) || Number.isInteger(item.amount);
    return {
      description: [
        ...smallPrint(
          isBridged(item) || !showsOther(item) ? owner : between[kind],
          // The first line shows no cents.
          !isExact && amount,
          txUrl === undefined
            ? isTxHash(item.txHash) &&
                linkTexts.hash(shortTxHash(item.txHash, linkTexts.unknownHash))
            : `[${linkTexts.transaction}](${txUrl})`,
          late,
        ),
      ].join('\n'),
      color: EMBED_COLOURS[kind === 'other' ? 'unknown' : kind],
    };
  },
  // The embed already links the wallet and the transaction.
  looks: () => [],
  sumWord: ({ item }) => item.type,
  sumText(events, usdc, language) {
    const [{ item }] = events;
    const what = countText(transferDirection(item.type), item.type, events.length, language);
    return language.texts.alerts.catchUp.moved(what, language.format.usdc(usdc));
  },
};
