import { expect, it } from 'vitest';
import { checkHealth } from '../../src/ops/health-check.ts';
import { answering } from '../support/answering.ts';

const portAnswering = async (status: number) => {
  const { port } = await answering((request, response) => {
    response.writeHead(request.url === '/healthz' ? status : 404).end();
  });
  return port;
};

it('asks the bot where it serves, whatever address that is', async () => {
  const port = await portAnswering(200);
  for (const host of ['', '0.0.0.0:', '127.0.0.1:', 'localhost:']) {
    expect(await checkHealth({ HTTP_PORT: ` ${host}${port} ` }), host).toBe(0);
  }
});

it('fails when the bot says that it is late, or does not answer', async () => {
  expect(await checkHealth({ HTTP_PORT: await portAnswering(503) })).toBe(1);
  expect(await checkHealth({ HTTP_PORT: '1' })).toBe(1);
});

it('holds nothing against a bot that serves nothing, or at a port that only its log names', async () => {
  for (const port of [undefined, '', ' ', '0', '0.0.0.0:0'])
    expect(await checkHealth({ HTTP_PORT: port })).toBe(0);
});
