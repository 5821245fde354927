import { checksummed, type FoundAddress } from '../domain/address.ts';
import type { LocalizedText } from '../language/language.ts';

/** Addresses that are named of a text that holds several. */
const NAMED = 5;

/** What is wrong with a text in which not exactly one address was found. It quotes the text: escape it before it is shown. */
export function addressTrouble(found: Extract<FoundAddress, { ok: false }>): LocalizedText {
  return ({ texts }) => {
    const { several, andMore, transaction } = texts.answers.wallet;
    if (found.fault === 'several') {
      const shown = found.addresses.slice(0, NAMED).map(checksummed).join(', ');
      const more = found.addresses.length - NAMED;
      return several(more > 0 ? andMore(shown, String(more)) : shown);
    }
    if (found.fault === 'transaction') return transaction(`${found.typed.slice(0, 10)}…`);
    return texts.errors.wallet.address[found.fault](found.typed);
  };
}
