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
  inputs_too_long: ['free', 'waived', 'waived', 'waived', 'waived'],
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
  answered_before: ['free', 'waived', 'waived', 'waived', 'waived'],
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
    'inputs_too_long',
    'answered_before',
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
  const head = ['What happens', 'Caused by', ...Object.values(PROGRESS)];
  return `# Who pays

This page is generated from \`router/request/who-pays.ts\`. \`npm test -- -u\` generates it again.

Every request ends in one of these ways. For each way and for each stage that the request had reached, the table says what is charged.

| ${head.join(' | ')} |
|${head.map(() => '---').join('|')}|
${rows.join('\n')}

- **The whole answer**: the prompt and all tokens of the answer, as its \`usage\` reports them.
- **The last count**: the prompt and the generated tokens, by the engine's last count, but at most what was held. The engine is stopped, and the agent has one second to report that count.
- **Counted as waived work**: nothing is charged. But an engine did work for the request, so its tokens count against a limit of the organization. After 200,000 such tokens in a minute, over all routers, further requests of the organization get 429 until the oldest tokens are a minute old.
- Of an answer that is not streamed, **nothing is shown** until it is complete.

A request that is refused before a hold is made (because of its key, its body, a limit or missing credit) costs nothing. A router that is told to stop finishes its running answers. If a router is killed, the other routers free its holds, and nothing is charged. The exception: a charge that was made just before the router died remains, although the last bytes of that answer were not sent.
`;
}

test('docs/who-pays.md is what the table says', async () => {
  await expect(page()).toMatchFileSnapshot('../../../docs/who-pays.md');
});
