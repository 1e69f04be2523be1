/** The feed of incidents, as a program that reads feeds gets it. */
import { parseFeed } from '@rowanmanning/feed-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FEED_ENTRIES_MAX, incidentFeed } from '../../../router/control/public-figures/feed.ts';
import { PUBLIC_READS } from '../../../router/control/public-figures/read-limit.ts';
import type { Incident } from '../../../shared/api/incidents.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type Rig, startRig } from './rig.ts';

const START = Date.UTC(2026, 2, 10, 12);
const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const NAME = 'Qwen3 235B A22B Instruct 2507';

let clock: ManualClock;
let rig: Rig;
beforeAll(async () => {
  clock = new ManualClock(START);
  rig = await startRig(clock);
});
afterAll(() => rig[Symbol.asyncDispose]());

const get = (from = rig, headers: Record<string, string> = {}) =>
  fetch(`${from.origin}/status.atom`, { headers });

async function read(from = rig) {
  clock.advance(1_000);
  const answer = await get(from);
  expect(answer.status).toBe(200);
  return parseFeed(await answer.text());
}

async function report(fields: object, to = rig): Promise<string> {
  clock.advance(1_000);
  const body = { title: 'Slow answers', message: 'We are looking for the cause.', ...fields };
  const answer = await to.ask('POST', '/api/v1/incidents', body);
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

async function update(incident: string, fields: object, to = rig): Promise<void> {
  clock.advance(1_000);
  const path = `/api/v1/incidents/${incident}/updates`;
  expect((await to.ask('POST', path, fields)).status).toBe(201);
}

test('without incidents, the feed is valid and empty', async () => {
  const feed = await read();
  expect(feed).toMatchObject({ title: 'Penstock status', items: [] });
  expect(feed.updated?.toISOString()).toBe('2026-03-10T00:00:00.000Z');
});

test('each update of an incident is an entry with a link to it, the newest first', async () => {
  const id = await report({ models: [MODEL], regions: ['eu'] });
  await update(id, {
    state: 'resolved',
    message: 'A host was replaced.\nIt is new.\n\nAll is well.',
  });
  const feed = await read();
  expect(feed.self).toBe(`${rig.origin}/status.atom`);
  const text = (message: string) => `<p>${message}</p><p>Affected: ${NAME}; EU.</p>`;
  const url = `${rig.origin}/status#${id}`;
  expect(feed.items).toMatchObject([
    {
      id: `${url}-2`,
      title: 'Resolved: Slow answers',
      content: text('A host was replaced.<br>It is new.</p><p>All is well.'),
      published: new Date(clock.now() - 1_000),
      url,
    },
    {
      id: `${url}-1`,
      title: 'Investigating: Slow answers',
      content: text('We are looking for the cause.'),
      url,
    },
  ]);
  expect(feed.updated).toEqual(feed.items[0]?.published);
});

test('whatever an operator writes is text, and never markup', async () => {
  await using fresh = await startRig(clock);
  const title = `</title><script>alert("1 & 2")</script> ]]> 'quoted'`;
  const message = 'a < b && c > d <!-- no comment -->';
  await report({ title, message }, fresh);
  const bytes = await (await get(fresh)).text();
  expect(bytes).not.toMatch(/<script>|<!--/);
  // Its readers show HTML, so that it is escaped once for HTML and once for XML.
  expect(bytes).toContain('&lt;p&gt;a &amp;lt; b &amp;amp;&amp;amp; c &amp;gt; d &amp;lt;!--');
  const [entry] = (await read(fresh)).items;
  expect(entry?.title).toBe(`Investigating: ${title}`);
});

test('a character that XML does not allow does not make the feed unreadable', () => {
  const created = '2026-03-10T12:00:00.000Z';
  const incident: Incident = {
    id: 'inc_1',
    title: 'Slow\u0000 answers\uD800',
    state: 'investigating',
    models: ['no/name'],
    regions: [],
    created,
    resolved: null,
    updates: [{ state: 'investigating', message: 'A\u001B\uFFFE cable.', created }],
  };
  const names = new Map<string, string>();
  const parts = { incidents: [incident], names, origin: 'http://a.test', author: 'A & B' };
  const feed = parseFeed(new TextDecoder().decode(incidentFeed({ ...parts, now: START }).bytes));
  expect(feed.authors).toMatchObject([{ name: 'A & B' }]);
  expect(feed.items).toMatchObject([
    {
      title: 'Investigating: Slow\uFFFD answers\uFFFD',
      content: '<p>A\uFFFD\uFFFD cable.</p><p>Affected: no/name; all regions.</p>',
    },
  ]);
});

test('the feed has the newest updates only', async () => {
  await using fresh = await startRig(clock);
  const id = await report({}, fresh);
  for (let nth = 1; nth <= FEED_ENTRIES_MAX; nth++) {
    await update(id, { state: 'monitoring', message: `Update ${nth}.` }, fresh);
  }
  const { items } = await read(fresh);
  expect(items).toHaveLength(FEED_ENTRIES_MAX);
  expect(items[0]?.content).toContain(`Update ${FEED_ENTRIES_MAX}.`);
  expect(items.at(-1)?.content).toContain('Update 1.');
});

test('who has the feed already is told so, until there is news', async () => {
  await using fresh = await startRig(clock);
  const first = await get(fresh);
  expect(first.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  expect(first.headers.get('cache-control')).toBe('public, max-age=60');
  const known = { 'if-none-match': first.headers.get('etag') ?? '' };
  clock.advance(20_000);
  const again = await get(fresh, known);
  expect([again.status, await again.text()]).toEqual([304, '']);
  await report({}, fresh);
  expect((await get(fresh, known)).status).toBe(200);
});

test('an address that asks for the feed without end is refused for a while', async () => {
  clock.advance(60_000);
  const statuses: number[] = [];
  for (let nth = 0; nth <= PUBLIC_READS.peer.burst; nth++) statuses.push((await get()).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(PUBLIC_READS.peer.burst);
  expect(statuses.at(-1)).toBe(429);
  clock.advance(60_000);
});

test('a page names the feed to browsers and feed readers, and where the status is hidden there is none', async () => {
  const page = async (from: Rig) =>
    await (await fetch(`${from.origin}/status`, { headers: { accept: 'text/html' } })).text();
  expect(await page(rig)).toMatch(
    /<link rel="alternate" type="application\/atom\+xml"[^>]* href="\/status\.atom"/,
  );
  await using closed = await startRig(clock, ['global'], { publicModels: false });
  expect(await page(closed)).not.toContain('status.atom');
  expect((await get(closed)).status).toBe(404);
});
