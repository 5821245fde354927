import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page of the documents. */
export interface DocumentPage {
  /** From the project's folder. */
  readonly path: string;
  readonly text: string;
}

/** All pages that people read: those of the project's folder, of docs/, and of each package. */
export const PAGES: readonly DocumentPage[] = [
  '.',
  'docs',
  'packages/local-discord',
  'packages/venue-server',
].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => page(join(folder, name))),
);

export function page(path: string): DocumentPage {
  return { path, text: readFileSync(path, 'utf8') };
}

/** The same without blocks of code: what is in them is no heading, link or table. */
export function prose({ text }: DocumentPage): string {
  return text.replace(/^```.*?^```$/gms, '');
}

/** @throws Error if the page has no such heading, or more than one */
export function section(of: DocumentPage, heading: string): string {
  const parts = `\n${of.text}`.split(`\n${heading}\n`);
  if (parts.length !== 2)
    throw new Error(`${of.path} has ${parts.length - 1} headings "${heading}".`);
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  return (parts[1] ?? '').split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? '';
}

/** What is set as code in a text. */
export function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** What is set as code in the first column of the tables of a text. */
export function firstColumn(text: string): string[] {
  return [...text.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) => codeSpans(cell));
}

/** Sorted, each once: two of them can be compared. */
export function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}

/** Every source file of a folder, by its path from the project's folder. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name));
}
