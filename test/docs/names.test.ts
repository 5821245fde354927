import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SLASH_COMMANDS } from '../../commands/slash-commands.ts';
import { readConfig } from '../../src/app/config.ts';
import { FIELDS } from '../../src/watches/transfer/fields.ts';
import { codeSpans, firstColumn, PAGES, page, section, sorted } from './pages.ts';

interface Option {
  readonly name: string;
  readonly options?: readonly Option[];
}

const read = (path: string) => readFileSync(path, 'utf8');
const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');
const all = PAGES.map(({ text }) => text).join('\n');

/** Every command that can be typed, such as `/watch add`, with its options. */
const commands = new Map(
  SLASH_COMMANDS.flatMap(({ definition }): [string, string[]][] => {
    const { name, options = [] } = JSON.parse(JSON.stringify(definition.toJSON())) as Option;
    const names = (own: readonly Option[] = []) => own.map((option) => option.name);
    if (name !== 'watch') return [[`/${name}`, names(options)]];
    return options.map((subcommand) => [`/${name} ${subcommand.name}`, names(subcommand.options)]);
  }),
);

describe('commands', () => {
  it.each([...commands])(
    '%s stands in the guide with its options, and none that there is not',
    (name, options) => {
      const ofCommand = section(page('docs/guide.md'), `### ${name}`);
      const explained = [...ofCommand.matchAll(/^\| option \|.*(?:\n\|.*)+/gm)].flatMap(([table]) =>
        firstColumn(table),
      );
      expect(explained.toSorted()).toEqual(options.toSorted());
    },
  );

  it('stand in the README: six that begin, and how many there are', () => {
    const named = section(page('README.md'), '## Commands');
    const inTable = firstColumn(named);
    expect(inTable).toHaveLength(6);
    expect(inTable.filter((name) => !commands.has(name))).toEqual([]);
    expect([commands.size, /All (\w+) commands/.exec(named)?.[1]]).toEqual([17, 'seventeen']);
  });

  it('are written with options that they have, wherever a page gives one to type', () => {
    const typed = [
      ...all.matchAll(
        /(\/watch [\w-]+|\/activity|\/flows|\/market)\b((?: [\w-]+: ?[^\s`]+)*(?: [\w-]+:)?)/g,
      ),
    ];
    expect(typed.length).toBeGreaterThan(40);
    const wrong = typed.flatMap(([text, name = '', rest = '']) => {
      const options = commands.get(name);
      const given = found(rest, / ([a-z-]+):/g);
      return options === undefined || given.some((option) => !options.includes(option))
        ? [text]
        : [];
    });
    expect(wrong).toEqual([]);
  });

  it('of import and export have their columns explained', () => {
    const table = section(page('docs/guide.md'), '## Import and export');
    expect(firstColumn(table).toSorted()).toEqual([...FIELDS].toSorted());
  });
});

describe('variables of the environment', () => {
  const configuration = section(page('docs/operating.md'), '## Configuration');
  const required = { DISCORD_TOKEN: 'a', VENUE_BASE_URL: 'http://127.0.0.1', VENUE_API_KEY: 'b' };

  it('are explained, each that the bot reads and none that it does not', () => {
    const inCode = [
      ...found(read('src/app/variables.ts'), /^ {2}([A-Z][A-Z_]+): /gm),
      ...found(read('src/app/config.ts'), /\.get\('([A-Z_]+)'\)/g),
      ...found(read('src/alerts-out/settings.ts'), /\bgiven\('([A-Z_]+)'\)/g),
      ...found(read('src/polymarket/settings.ts'), /'(POLYMARKET_[A-Z_]+)'/g),
    ];
    expect(inCode.length).toBeGreaterThan(20);
    expect(firstColumn(configuration).toSorted()).toEqual(sorted(inCode));
    expect(sorted(found(read('.env.example'), /^#?([A-Z_]+)=/gm))).toEqual(sorted(inCode));
  });

  it('have the defaults that the page says', () => {
    const rows = [...configuration.matchAll(/^\| `([A-Z_]+)` \|.*\| `([^`]+)` \|$/gm)];
    expect(rows.length).toBeGreaterThan(10);
    for (const [, name = '', value = ''] of rows) {
      expect(readConfig({ ...required, [name]: value }), name).toEqual(readConfig(required));
    }
  });
});

describe('programs', () => {
  it('are started by npm scripts that there are, and each of these is explained to whoever develops', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    const typed = [
      ...found(all, /npm run (?:--silent )?([\w-]+)/g),
      ...found(all, /npm (start|test)\b/g),
    ];
    expect(typed.filter((name) => !(name in scripts))).toEqual([]);
    const table = section(page('CONTRIBUTING.md'), '## Set-up');
    const unexplained = Object.keys(scripts).filter(
      (name) =>
        !codeSpans(table).some((code) => [name, `npm ${name}`, `npm run ${name}`].includes(code)),
    );
    expect(unexplained).toEqual([]);
  });

  it.each([
    ['the demo', 'src/demo/demo.ts', section(page('CONTRIBUTING.md'), '## The demo')],
    [
      'the venue server',
      'packages/venue-server/src/cli.ts',
      page('packages/venue-server/README.md').text.split('## ')[0] ?? '',
    ],
    ['store', 'src/cli/store/run.ts', section(page('docs/operating.md'), '## Move a store')],
  ])('such as %s have their options explained', (_name, source, text) => {
    const explained = firstColumn(text).map((code) => code.split(' ')[0] ?? '');
    expect(explained.toSorted()).toEqual(sorted(found(read(source), /^ {2}(--[a-z-]+) /gm)));
  });

  it('that measure stand with the figures that they give', () => {
    const benches = found(read('test/bench/main.ts'), /^ {2}'?([\w-]+)'?: \(\) => import/gm);
    // It keeps a release's store, and measures nothing.
    const measuring = benches.filter((name) => name !== 'keep-release');
    const { text } = page('docs/measurements.md');
    expect(sorted(found(text, /npm run bench -- ([a-z-]+)/g))).toEqual(measuring.toSorted());
    const files = readdirSync('test/bench/measured').filter((name) => name !== 'conditions.json');
    expect(sorted(found(text, /`([a-z-]+\.json)`/g))).toEqual(files.toSorted());
  });
});

describe('the architecture', () => {
  it('has a line for every folder of the sources', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const explained = firstColumn(section(page('docs/architecture.md'), '## The folders'));
    expect(
      folders.map(({ name }) => `src/${name}/`).filter((folder) => !explained.includes(folder)),
    ).toEqual([]);
  });

  it('names files of each folder that are there', () => {
    const rows = [
      ...section(page('docs/architecture.md'), '## The folders').matchAll(
        /^\| `([\w/-]+\/)` \| .* \| (.*) \|$/gm,
      ),
    ];
    const files = rows.flatMap(([, folder = '', cell = '']) =>
      codeSpans(cell)
        .filter((code) => /^[\w/-]+(?:\.ts|\/)$/.test(code))
        .map((code) => join(folder, code)),
    );
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});
