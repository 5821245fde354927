import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { downloadAttachment } from '../../src/discord/download.ts';
import { UserError } from '../../src/language/user-error.ts';

it('fetches an attachment up to the limit, and says what is wrong otherwise', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/gone') response.writeHead(404).end('no');
    else if (request.url === '/cut')
      response.writeHead(200, { 'content-length': '9' }).write('abc', () => response.destroy());
    else response.end('x'.repeat(Number(request.url?.slice(1))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(Buffer.from(await downloadAttachment(`${base}/2048`, 2_048)).toString()).toBe(
    'x'.repeat(2_048),
  );
  await expect(downloadAttachment(`${base}/100000`, 2_048)).rejects.toThrow(
    'too large. Use up to 2 KiB',
  );
  await expect(downloadAttachment(`${base}/gone`, 2_048)).rejects.toThrow(
    'couldn’t get the file from Discord (404)',
  );
  await expect(downloadAttachment(`${base}/cut`, 2_048)).rejects.toThrow(UserError);
  await expect(downloadAttachment('http://127.0.0.1:1/', 2_048)).rejects.toThrow(
    'couldn’t get the file from Discord in time',
  );
});
