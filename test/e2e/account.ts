import { type Account, createAccount, followMessages } from '../../src/demo/reconcile.ts';
import { inMarket, nowSeconds, trade } from '../support/records.ts';
import { WALLET } from '../support/wallets.ts';
import { type Fixture, messageChange } from './fixture.ts';

/** What the channels are owed, and what Discord has shown of it from now on. */
export function accountOf(fixture: Fixture): Account {
  const account = createAccount();
  followMessages(account, fixture.discord.events);
  return account;
}

/** The wallet's trades, with an account of them. */
export function tradingOf(fixture: Fixture) {
  const account = accountOf(fixture);
  let block = 0;
  return {
    account,
    /** Has the fixture's channel watch the wallet. */
    async watch(): Promise<void> {
      account.watch(WALLET, fixture.channelId, nowSeconds());
      await fixture.say('watch add', { wallet: WALLET, label: 'Whale' });
    },
    /** Buys once, each time in a market of its own. */
    async play(): Promise<void> {
      block += 1;
      const item = trade({ ...inMarket(block), quantity: block });
      const record = { kind: 'activity', wallet: WALLET, block, item } as const;
      await fixture.ledger.addAll([record]);
      account.expect(record);
    },
    /** Resolves when each trade so far has its alert. */
    async settled(): Promise<void> {
      while (account.balance().lost > 0) await messageChange(fixture.discord);
    },
  };
}
