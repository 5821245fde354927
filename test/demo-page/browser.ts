import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));
const USUAL_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser that CHROMIUM_PATH names, or one in a usual place; null if there is none. */
export function findChromium(): string | null {
  const named = process.env['CHROMIUM_PATH'];
  return [...(named ? [named] : USUAL_PATHS)].find((path) => existsSync(path)) ?? null;
}

/** Starts it without a window and with a profile of its own, which is gone when it is closed. */
export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: ARGUMENTS });
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: unknown }[];
}

/** What axe-core finds on the page as it is, a line each; nothing is too small to count. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'));
  const found: Violation[] = await page.evaluate('axe.run().then((results) => results.violations)');
  return found.map(
    ({ id, nodes }) => `${id}: ${JSON.stringify(nodes.slice(0, 5).map(({ target }) => target))}`,
  );
}
