import { Pool } from 'undici';
import { ENDPOINT_NAMES } from '../../src/domain/records.ts';
import { walletOf } from '../support/wallets.ts';

process.once('disconnect', () => process.exit());

/** Requests one page after another and parses it, and nothing else: the minimum cost of a poll. */
process.once(
  'message',
  ({ url, everyMs, wallets }: { url: string; everyMs: number; wallets: number }) => {
    const { origin, pathname } = new URL(url);
    const pool = new Pool(origin, { connections: 16 });
    const startMs = performance.now();
    let sent = 0;
    const ask = async (index: number) => {
      const name = ENDPOINT_NAMES[index % 2];
      const path = `${pathname}/v1/trader/${walletOf((index >> 1) % wallets)}/${name}?limit=100`;
      const { body } = await pool.request({ method: 'GET', path });
      JSON.parse(await body.text());
    };
    const go = () => {
      while (startMs + sent * everyMs <= performance.now()) {
        void ask(sent);
        sent += 1;
      }
      setTimeout(go, startMs + sent * everyMs - performance.now());
    };
    go();
  },
);
