import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { NOT_BUNDLED } from '../../../src/build/bundle.js';
import { temporaryFolder } from '../../support/temp.ts';

/** A packet that discord.js cannot handle, and one at which a listener of ours fails. */
const PROGRAM = `
import { Client } from 'discord.js';
import { isGatewayFault } from './src/discord/gateway/fault.ts';
const client = new Client({ intents: [], shards: [0], shardCount: 1 });
const isFault = (work) => {
  try {
    work();
  } catch (error) {
    return isGatewayFault(error);
  }
};
const resume = (sessionInfo) => isFault(() => client.ws.handlePacket({ t: 'RESUMED' }, { id: 0, sessionInfo }));
const theirs = resume(null);
client.on('shardResume', () => {
  throw new Error('ours');
});
console.log(JSON.stringify([theirs, resume({ sequence: 1 })]));
`;

it('is known from a fault of ours, where the sources are bundled', async () => {
  const outfile = join(temporaryFolder(), 'program.mjs');
  const banner =
    "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    stdin: { contents: PROGRAM, resolveDir: process.cwd(), loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    minifyWhitespace: true,
    minifySyntax: true,
    banner: { js: banner },
    external: NOT_BUNDLED,
  });
  const { stdout } = await promisify(execFile)(process.execPath, [outfile]);
  expect(JSON.parse(stdout)).toEqual([true, false]);
});
