/**
 * The code rules that a machine can check: which files may import which, and where time and
 * randomness come from.
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

/**
 * Which files may import which (docs/ARCHITECTURE.md, the code map). The longest prefix that
 * matches a file lists what it may import from the project. Every file may import `shared/` and the
 * manifest, and a folder its own files.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'shared/': [],
  'bin/': ['router/', 'agent/'],
  'router/': ['router/'],
  'router/processes/': [
    'router/store/',
    'router/installation/',
    'router/config.ts',
    'router/config-error.ts',
    'router/metrics/',
  ],
  'router/request/': [
    'router/metering/',
    'router/routing/',
    'router/fleet/',
    'router/ledger/',
    'router/catalog/',
    'router/usage/refusals/',
    'router/history/',
  ],
  'router/host-events/': ['router/fleet/', 'router/store/'],
  'router/history/': ['router/fleet/', 'router/jobs/', 'router/usage/', 'router/store/'],
  'router/routing/': [],
  'router/metering/': ['router/fleet/'],
  'router/fleet/': ['router/routing/', 'router/catalog/'],
  'router/catalog/': ['router/ledger/'],
  'router/ledger/': ['router/store/'],
  'router/identity/': ['router/ledger/', 'router/store/'],
  'router/jobs/': ['router/ledger/', 'router/store/'],
  'router/usage/': ['router/ledger/', 'router/store/'],
  'router/backup/': ['router/verify/', 'router/store/', 'router/config-error.ts'],
  'router/verify/': ['router/ledger/', 'router/usage/', 'router/store/'],
  'router/store/': [],
  'router/control/': [
    'router/store/',
    'router/ledger/',
    'router/identity/',
    'router/jobs/',
    'router/usage/',
    'router/history/',
    'router/host-events/',
    'router/fleet/',
    'router/catalog/',
  ],
  'router/control/site/': ['router/control/', 'router/dashboard/pages.ts'],
  'router/dashboard/': ['router/control/permissions.ts', 'docs/'],
  'agent/': ['agent/'],
  'agent/engine/': ['agent/'],
  'agent/simulator/': [],
};

/**
 * The stations of a request. No station calls another: only handle.ts calls them, and conclude.ts
 * for it.
 */
const STATIONS = [
  'authenticate',
  'arrive',
  'admit',
  'pick',
  'attempt',
  'relay',
  'settle',
  'refuse',
];

/** The file that the store's threads import, to find all procedures by name. */
const REGISTRY = 'router/procedures.ts';

/** The only files that read a clock, draw random numbers or set a timer. */
const TIME_AND_CHANCE = ['shared/clock.ts', 'shared/random.ts', 'router/dashboard/clock.ts'];

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => !/node_modules|\/dist\//.test(file));
}

const files = (await Promise.all(['shared', 'bin', 'router', 'agent'].map(sources))).flat();
const texts = new Map(
  await Promise.all(
    files.map(async (file) => [file, await readFile(join(ROOT, file), 'utf8')] as const),
  ),
);

function importsOf(file: string): { path: string; typeOnly: boolean }[] {
  const text = texts.get(file) ?? '';
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/g,
  );
  return [...found].map(([, type, named, dynamic]) => ({
    path: relative(ROOT, resolve(ROOT, dirname(file), (named ?? dynamic) as string)),
    typeOnly: type !== undefined,
  }));
}

function roomOf(file: string): string {
  const rooms = Object.keys(MAY_IMPORT).filter((room) => file.startsWith(room));
  return rooms.toSorted((a, b) => b.length - a.length)[0] as string;
}

test('every import goes where the table allows', () => {
  const wrong = files.flatMap((file) => {
    const room = roomOf(file);
    const allowed = ['package.json', 'shared/', room, ...(MAY_IMPORT[room] as readonly string[])];
    return importsOf(file)
      .filter(({ path }) => !allowed.some((prefix) => path.startsWith(prefix)))
      .map(({ path }) => `${file} imports ${path}`);
  });
  expect(wrong).toEqual([]);
});

test('the dashboard imports only types of the API, whose schemas would be in the browser', () => {
  const values = files
    .filter((file) => file.startsWith('router/dashboard/'))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ path, typeOnly }) => path.startsWith('shared/api/') && !typeOnly)
        .map(({ path }) => `${file} imports ${path}`),
    );
  expect(values).toEqual([]);
});

test('router and agent meet only in shared/wire', () => {
  const crossing = files.flatMap((file) =>
    importsOf(file)
      .filter(
        ({ path }) =>
          (file.startsWith('router/') && path.startsWith('agent/')) ||
          (file.startsWith('agent/') && path.startsWith('router/')),
      )
      .map(({ path }) => `${file} imports ${path}`),
  );
  expect(crossing).toEqual([]);
});

test('a station of a request calls no other station', () => {
  const wrong = STATIONS.flatMap((station) => {
    const file = `router/request/${station}.ts`;
    return importsOf(file)
      .filter(({ path, typeOnly }) => {
        const other = /^router\/request\/(.+)\.ts$/.exec(path)?.[1];
        return !typeOnly && other !== undefined && STATIONS.includes(other);
      })
      .map(({ path }) => `${file} imports ${path}`);
  });
  expect(wrong).toEqual([]);
});

test('time and chance come from shared/clock and shared/random alone', () => {
  const bare =
    /\b(?:Date\.now|Math\.random|performance\.now|setTimeout|setInterval)\s*\(|new Date\(\)/;
  const wrong = files.filter(
    (file) => !TIME_AND_CHANCE.includes(file) && bare.test(texts.get(file) ?? ''),
  );
  expect(wrong).toEqual([]);
});

test('nothing is called utils, helpers, manager or misc, and only the registry re-exports', () => {
  expect(files.filter((file) => /utils?|helpers?|manager|misc/i.test(file))).toEqual([]);
  const barrels = files.filter((file) => /^\s*export \* from/m.test(texts.get(file) ?? ''));
  expect(barrels).toEqual([REGISTRY]);
});

/** The exported procedures of files, by the file that defines each. */
function proceduresOf(code: ReadonlyMap<string, string>): [name: string, file: string][] {
  const definition = /^export const (\w+)(?:: Procedure<| = (?:audited|idempotent)\()/gm;
  return [...code].flatMap(([file, text]) =>
    [...text.matchAll(definition)].map(([, name]): [string, string] => [name as string, file]),
  );
}

/** Procedures that no file uses, imports aside. */
function uncalled(written: ReadonlyMap<string, string>): string[] {
  const code = [...written.values()]
    .map((text) => text.replace(/^import [^;]*;$/gm, ''))
    .join('\n');
  return proceduresOf(written)
    .map(([name]) => name)
    .filter((name) => [...code.matchAll(new RegExp(`(?<!name: ')\\b${name}\\b`, 'g'))].length < 2);
}

test('the registry has every file with procedures, and the service calls every procedure', () => {
  const registered = new Set(importsOf(REGISTRY).map(({ path }) => path));
  const missing = proceduresOf(texts).filter(([, file]) => !registered.has(file));
  expect(missing).toEqual([]);
  expect(uncalled(texts)).toEqual([]);
});

test('a procedure that nothing calls is found', () => {
  const planted = new Map([
    ['a.ts', "export const used: Procedure<null, null> = { name: 'used' };"],
    [
      'b.ts',
      "export const dead: Procedure<null, null> = { name: 'dead' };\nstore.call(used, null);",
    ],
    ['c.ts', "import { dead, used } from './b.ts';"],
  ]);
  expect(uncalled(planted)).toEqual(['dead']);
});

test('files stay of a size that one can read', () => {
  const long = files.filter((file) => (texts.get(file) ?? '').split('\n').length > 350);
  expect(long).toEqual([]);
});

/** The cycles of a graph, each from its first node back to itself. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (node: string): void => {
    const from = way.indexOf(node);
    if (from >= 0) return void circles.push([...way.slice(from), node].join(' → '));
    if (done.has(node)) return;
    way.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    way.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return circles;
}

test('no import comes back to its own file, types included', () => {
  const graph = new Map(
    files.map((file) => [file, importsOf(file).map(({ path }) => path)] as const),
  );
  expect(circlesIn(graph)).toEqual([]);
});

test('a circle is found, however long, and a tree has none', () => {
  const planted = { a: ['b'], b: ['c', 'd'], c: ['a'], d: [] };
  expect(circlesIn(new Map(Object.entries(planted)))).toEqual(['a → b → c → a']);
  expect(circlesIn(new Map(Object.entries({ a: ['b', 'c'], b: ['c'], c: [] })))).toEqual([]);
});
