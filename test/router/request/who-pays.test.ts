/** The table of who pays: every cell, and its page in the documentation. */
import { expect, test } from 'vitest';
import {
  type Cause,
  needsLastCount,
  PAYS,
  type Pays,
  PROGRESS,
  type Progress,
  progressOf,
  WHO_PAYS,
  whoPays,
} from '../../../router/request/who-pays.ts';

const CAUSES = Object.keys(WHO_PAYS) as Cause[];
const STAGES = Object.keys(PROGRESS) as Progress[];

/** For each cause, what is paid at each stage, in the order of the stages. */
const EXPECTED: Readonly<Record<Cause, readonly Pays[]>> = {
  finished: ['full', 'full', 'full', 'full', 'full'],
  ended_at_grant: ['full', 'full', 'full', 'full', 'full'],
  client_left: ['free', 'waived', 'last_count', 'waived', 'last_count'],
  client_stalled: ['free', 'waived', 'last_count', 'waived', 'last_count'],
  suspended: ['free', 'waived', 'last_count', 'waived', 'last_count'],
  request_deadline: ['free', 'free', 'free', 'waived', 'last_count'],
  context_length: ['free', 'waived', 'waived', 'waived', 'waived'],
  credit_short: ['free', 'waived', 'waived', 'waived', 'waived'],
  request_refused: ['free', 'free', 'free', 'free', 'free'],
  not_placed: ['free', 'free', 'free', 'free', 'free'],
  first_byte_deadline: ['free', 'free', 'free', 'free', 'free'],
  idle_deadline: ['free', 'free', 'free', 'free', 'free'],
  empty_answer: ['free', 'free', 'free', 'free', 'free'],
  engine_failed: ['free', 'free', 'free', 'free', 'free'],
  engine_died: ['free', 'free', 'free', 'free', 'free'],
  worker_lost: ['free', 'free', 'free', 'free', 'free'],
  agent_misbehaved: ['free', 'free', 'free', 'free', 'free'],
  hold_lost: ['free', 'free', 'free', 'free', 'free'],
  store_away: ['free', 'free', 'free', 'free', 'free'],
  answers_full: ['free', 'free', 'free', 'free', 'free'],
  settle_unknown: ['free', 'free', 'free', 'free', 'free'],
  settle_refused: ['free', 'free', 'free', 'free', 'free'],
  internal_error: ['free', 'free', 'free', 'free', 'free'],
};

test.each(CAUSES)('MONEY 15: %s: who pays, at every stage', (cause) => {
  expect(STAGES.map((progress) => whoPays(cause, progress))).toEqual(EXPECTED[cause]);
});

test('MONEY 15: what a host or the platform causes is never charged, nor counted against the customer', () => {
  for (const cause of CAUSES) {
    const { fault, pays } = WHO_PAYS[cause];
    if (fault !== 'host' && fault !== 'platform') continue;
    expect(new Set(Object.values(pays)), cause).toEqual(new Set(['free']));
  }
});

test('MONEY 15: nothing is charged that no engine has taken, but an answer that is whole', () => {
  for (const cause of CAUSES) {
    const isWhole = cause === 'finished' || cause === 'ended_at_grant';
    expect(whoPays(cause, 'untaken'), cause).toBe(isWhole ? 'full' : 'free');
  }
});

test('a stage follows from what the engine has taken, what it has counted, and what the client has seen', () => {
  const seen = (accepted: boolean, counted: boolean, begun: boolean) =>
    progressOf({ accepted, counted, begun });
  expect(seen(false, false, false)).toBe('untaken');
  expect(seen(true, false, false)).toBe('uncounted');
  expect(seen(true, true, false)).toBe('counted');
  expect(seen(true, false, true)).toBe('begun_uncounted');
  expect(seen(true, true, true)).toBe('begun');
});

test('the last count is waited for wherever it may be charged, and nowhere else', () => {
  const waits = CAUSES.filter((cause) => needsLastCount(cause, 'untaken'));
  const whole: readonly string[] = ['finished', 'ended_at_grant'];
  expect(waits.filter((cause) => !whole.includes(cause))).toEqual([
    'client_left',
    'client_stalled',
    'suspended',
    'context_length',
    'credit_short',
  ]);
  expect(needsLastCount('request_deadline', 'counted')).toBe(false);
  expect(needsLastCount('request_deadline', 'begun_uncounted')).toBe(true);
});

function page(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const rows = CAUSES.map((cause) => {
    const { what, fault } = WHO_PAYS[cause];
    const paid = STAGES.map((progress) => PAYS[whoPays(cause, progress)]);
    return `| ${[what, fault, ...paid].map(cell).join(' | ')} |`;
  });
  const head = ['What happens', 'Whose doing', ...Object.values(PROGRESS)];
  return `# Who pays

Generated from \`router/request/who-pays.ts\`; \`npm test -- -u\` writes it anew.

Every request ends in one of these ways, and for how far it had come each has one answer.

| ${head.join(' | ')} |
|${head.map(() => '---').join('|')}|
${rows.join('\n')}

- **All of it**: the prompt and the whole answer, at the usage that the answer shows.
- **The last count**: the prompt, and what was generated as the engine last counted it, at most what was held. The engine is
  stopped, and has a second to tell that count.
- **Counted as waived work**: nothing is charged. But an engine has worked for it, so its tokens count against the organization: one
  with 200,000 of them in a minute, over all routers, gets 429 until they are a minute old.
- **Nothing is shown** also means an answer that is not streamed, until it is whole.

A request that is refused before anything is held for it (its key, its body, a limit, no credit) costs nothing. A router that is told
to stop ends what runs whole; one that is killed leaves holds, which the others free, and nothing is charged. A charge that was made
just before the router died stands, though the last bytes of the answer were not sent: at most one answer each.
`;
}

test('docs/who-pays.md is what the table says', async () => {
  await expect(page()).toMatchFileSnapshot('../../../docs/who-pays.md');
});
