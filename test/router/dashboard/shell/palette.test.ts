/** What the palette finds. */
import { expect, test } from 'vitest';
import { requestIdIn } from '../../../../router/dashboard/format/request-id.ts';
import { VIEW_NAMES } from '../../../../router/dashboard/pages/billing/view-names.ts';
import { BILLING_KEYWORDS, KEYWORDS } from '../../../../router/dashboard/shell/palette/keywords.ts';
import { PAGES, type PageName } from '../../../../router/dashboard/pages.ts';
import type { Agent } from '../../../../shared/api/agents.ts';
import type { WorkerEntry } from '../../../../shared/api/workers.ts';
import { ranked } from '../../../../router/dashboard/shell/palette/rank.ts';
import { hindranceOf } from '../../../../router/dashboard/shell/palette/host-hindrance.ts';
import { askedIn, wordsFor, refusalOf } from '../../../../router/dashboard/shell/palette/verbs.ts';

const ENTRIES = [
  { key: 'page usage', name: 'Usage' },
  { key: 'page keys', name: 'API keys' },
  { key: 'key_01', name: 'Nightly batch', words: ['key_01', 'sk-penstock-0aB1'] },
  { key: 'mem_01', name: 'Bob', words: ['bob@acme.test'] },
  { key: 'key_02', name: 'Batch' },
];

function found(search: string, recent: string[] = []): string[] {
  const groups = ranked([{ title: 'All', entries: ENTRIES }], search, recent);
  return groups.flatMap(({ entries }) => entries.map(({ name }) => name));
}

test('an entry is found by words of its name, its id or its address, in any case', () => {
  expect(found('KEY')).toEqual(['API keys', 'Nightly batch']);
  expect(found('batch nightly')).toEqual(['Nightly batch']);
  expect(found('acme.test')).toEqual(['Bob']);
  expect(found('  usage ')).toEqual(['Usage']);
  expect(found('nobody')).toEqual([]);
});

test('names that begin with the search come first, and no group is longer than six', () => {
  expect(found('batch')).toEqual(['Batch', 'Nightly batch']);
  const many = Array.from({ length: 1_000 }, (_, at) => ({ key: String(at), name: `key ${at}` }));
  for (const search of ['', 'key']) {
    expect(ranked([{ title: 'Keys', entries: many }], search, [])[0]?.entries).toHaveLength(6);
  }
});

test('the group with the best entry is the first: exact names, then names that begin so', () => {
  const groups = [
    { title: 'Pages', entries: [{ key: 'a', name: 'Request logs' }] },
    { title: 'Docs', entries: [{ key: 'b', name: 'Logs of requests' }] },
    { title: 'Keys', entries: [{ key: 'c', name: 'worker', words: ['logs'] }] },
    // The API has found it by another field.
    { title: 'People', entries: [{ key: 'd', name: 'Ada', isFound: true }] },
  ];
  const titles = (search: string) => ranked(groups, search, []).map(({ title }) => title);
  expect(titles('logs')).toEqual(['Keys', 'Docs', 'Pages', 'People']);
  expect(titles('request')).toEqual(['Pages', 'Docs', 'People']);
});

test('what was opened last is above others that fit as well, and stands first without a search', () => {
  expect(found('b')).toEqual(['Bob', 'Batch', 'Nightly batch']);
  expect(found('b', ['key_02'])).toEqual(['Batch', 'Bob', 'Nightly batch']);
  const groups = ranked([{ title: 'All', entries: ENTRIES }], '', ['page keys', 'gone']);
  expect(groups.map(({ title, entries }) => [title, entries.map(({ key }) => key)])).toEqual([
    ['Recent', ['page keys']],
    ['All', ['page usage', 'key_01', 'mem_01', 'key_02']],
  ]);
});

test('the id of a request is taken from what was pasted', () => {
  const id = `req_${'0'.repeat(25)}z`;
  expect(requestIdIn(id)).toBe(id);
  expect(requestIdIn(`  x-request-id: ${id},`)).toBe(id);
  expect(requestIdIn('req_short')).toBeNull();
  expect(requestIdIn(`${id}0`)).toBeNull();
});

test('a verb, and a noun if there is one, are told apart from the name that follows', () => {
  expect(askedIn('drain')).toEqual({ verb: 'drain', name: '' });
  expect(askedIn(' Drain  host GPU-2 ')).toEqual({ verb: 'drain', name: 'GPU-2' });
  expect(askedIn('cordon gpu-2')).toEqual({ verb: 'drain', name: 'gpu-2' });
  expect(askedIn('end the drain of host gpu-2')).toEqual({ verb: 'undrain', name: 'gpu-2' });
  expect(askedIn('block customer Acme Ltd')).toEqual({ verb: 'suspend', name: 'Acme Ltd' });
  expect(askedIn('activate org Acme')).toEqual({ verb: 'resume', name: 'Acme' });
  // A host may be called like a noun, and a name may begin like a verb.
  expect(askedIn('drain hosting-1')).toEqual({ verb: 'drain', name: 'hosting-1' });
  expect(askedIn('drainage')).toBeNull();
  expect(askedIn('')).toBeNull();
});

test('an operator who only reads is told what they cannot do', () => {
  expect(refusalOf('drain gpu-2')).toMatch(/^Viewers cannot drain hosts\./);
  expect(refusalOf('undrain')).toMatch(/^Viewers cannot end the drains of hosts\./);
  expect(refusalOf('suspend Acme')).toMatch(/^Viewers cannot suspend organizations\./);
  expect(refusalOf('gpu-2')).toBeNull();
});

test('each wording of a verb finds it for a host', () => {
  const entry = { key: 'd', name: 'Drain host gpu-2', words: wordsFor('drain', 'gpu-2') };
  for (const search of [
    'drain gpu',
    'drain host gpu-2',
    'cordon machine gp',
    'maintenance gpu-2',
  ]) {
    expect(ranked([{ title: 'Actions', entries: [entry] }], search, []), search).toHaveLength(1);
  }
});

test.each([
  ['receipt', 'Payments'],
  ['invoice', 'Payments'],
  ['password', 'Account'],
  ['team', 'Members'],
  ['requests', 'Logs'],
  ['pricing', 'Models'],
])('the word %s finds %s first', (word, page) => {
  // The palette does not list pages of one thing, such as an invoice.
  const listed = (Object.keys(PAGES) as PageName[]).filter(
    (key) => PAGES[key].group !== null || PAGES[key].needs === 'person',
  );
  const entries = listed.map((key) => {
    return { key, name: PAGES[key].title, words: KEYWORDS[key] ?? [] };
  });
  const views = (Object.keys(BILLING_KEYWORDS) as (keyof typeof BILLING_KEYWORDS)[]).map(
    (view) => ({
      key: view as string,
      name: VIEW_NAMES[view],
      words: BILLING_KEYWORDS[view],
    }),
  );
  // The documentation has headings that begin with the same words.
  const docs = [{ key: 'docs', name: `${word}s and more` }];
  const groups = [
    { title: 'Docs', entries: docs },
    { title: 'Pages', entries: [...entries, ...views] },
  ];
  expect(ranked(groups, word, [])[0]?.entries[0]?.name).toBe(page);
});

test('a host that an operator cannot drain, or whose drain cannot end, says why', () => {
  const at = '2026-11-21T08:00:00.000Z';
  const host: Agent = {
    id: 'agt_1',
    name: 'gpu-1',
    region: 'global',
    state: 'enrolled',
    connected: true,
    created: at,
    last_seen: at,
    absence: null,
  };
  const workers = (phase: WorkerEntry['phase']) => [{ agent: 'agt_1', phase }] as WorkerEntry[];
  expect(hindranceOf('drain', host, workers('ready'))).toBe(null);
  expect(hindranceOf('drain', host, [])).toBe(null);
  expect(hindranceOf('drain', host, workers('draining'))).toBe('Already drained');
  expect(hindranceOf('undrain', host, workers('draining'))).toBe(null);
  expect(hindranceOf('undrain', host, workers('ready'))).toBe('Not drained');
  expect(hindranceOf('drain', { ...host, connected: false }, [])).toBe('Not connected');
  const lost = { ...host, connected: false, absence: { reason: 'lost', since: at } } as const;
  expect(hindranceOf('drain', lost, workers('ready'))).toBe('Lost');
  const joining = { ...host, connected: false, state: 'enrolling' } as const;
  expect(hindranceOf('undrain', joining, [])).toBe('Waiting to join');
});

test('a page is found by all words of a search in the sentence about it, after those named so', () => {
  const limits = { key: 'limits', name: 'Limits', about: 'Rate limits, and their headers.' };
  const named = { key: 'named', name: 'Rate limits' };
  const groups = [{ title: 'Docs', entries: [limits, { key: 'x', name: 'Models' }, named] }];
  const keysOf = (search: string) =>
    ranked(groups, search, []).flatMap(({ entries }) => entries.map(({ key }) => key));
  expect(keysOf('rate limit')).toEqual(['named', 'limits']);
  expect(keysOf('headers')).toEqual(['limits']);
  expect(keysOf('rate headers')).toEqual(['limits']);
});
