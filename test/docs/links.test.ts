import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { codeSpans, type DocumentPage, PAGES, page, prose } from './pages.ts';

/** Headings' anchors, as GitHub makes them, and those that stand where a section was before. */
function anchors(of: DocumentPage): string[] {
  const headings = [...prose(of).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  return [...headings, ...[...prose(of).matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)];
}

/**
 * Links and pictures, those of HTML too, to somewhere in the project: path and anchor, either may
 * be empty.
 */
function ownLinks(of: DocumentPage): { path: string; anchor: string }[] {
  return [...prose(of).matchAll(/(?:\]\(|\bsrc(?:set)?=")([^)\s"]+)[)"]/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { path: path === '' ? of.path : normalize(join(dirname(of.path), path)), anchor };
    });
}

/** Headings that each release has in the change log. */
const OF_EACH_RELEASE = ['added', 'changed', 'fixed'];

describe.each(PAGES.map((each) => [each.path, each] as const))('%s', (_path, each) => {
  it('has no heading twice, so that each can be linked to', () => {
    const linked = anchors(each).filter((anchor) => !OF_EACH_RELEASE.includes(anchor));
    expect(linked).toEqual([...new Set(linked)]);
  });

  it('links to files and headings that are there', () => {
    const broken = ownLinks(each).filter(
      ({ path, anchor }) =>
        !existsSync(path) || (anchor !== '' && !anchors(page(path)).includes(anchor)),
    );
    expect(broken).toEqual([]);
  });

  it('names folders and files that are there', () => {
    const named = codeSpans(prose(each)).filter((code) =>
      /^(src|test|commands|ops|docs|\.ci)\/[\w./-]*$/.test(code),
    );
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('has straight quotes and apostrophes, but where it quotes a text', () => {
    expect(prose(each).replace(/`[^`\n]*`/g, '')).not.toMatch(/[“”„«»‘’]/);
  });
});

/** Anchors of pages as they once were, which people and other sites may have saved. */
const saved = z
  .record(z.string(), z.array(z.string()))
  .parse(JSON.parse(readFileSync('test/docs/saved-anchors.json', 'utf8')));

it.each(Object.entries(saved))(
  '%s has each anchor that it once had: where a section was, a line says where it is',
  (path, once) => {
    expect(once.filter((anchor) => !anchors(page(path)).includes(anchor))).toEqual([]);
  },
);

describe('the pages', () => {
  it('are all reached from the README, and the pictures shown on one of them', () => {
    const linked = PAGES.flatMap(ownLinks).map(({ path }) => path);
    const fromReadme = ownLinks(page('README.md')).map(({ path }) => path);
    expect(
      PAGES.map(({ path }) => path).filter(
        (path) => path !== 'README.md' && !fromReadme.includes(path),
      ),
    ).toEqual([]);
    const pictures = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.png'),
    );
    expect(pictures.length).toBeGreaterThan(0);
    expect(pictures.filter((name) => !linked.includes(join('docs', name)))).toEqual([]);
  });

  it('begin with a README of at most 1,150 words, which has the commands that a newcomer types', () => {
    const { text } = page('README.md');
    expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(1150);
    expect(text).toMatch(/^npm ci && npm run demo$/m);
    expect(text).toMatch(/`npm ci && npm start`/);
    expect(text).toMatch(/`npm ci && npm test`/);
    expect(page('CONTRIBUTING.md').text).toMatch(/^npm ci && npm test$/m);
  });
});
