/** Requests to count tokens on one link: which are sent, and which wait. */
import { expect, test } from 'vitest';
import {
  OPEN_BYTES_MAX,
  OPEN_MAX,
  TokenCountClient,
  WAITING_MAX,
} from '../../../router/fleet/token-count-client.ts';
import type { Count } from '../../../shared/wire/messages.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const question = (prompt = '{}') =>
  ({ worker: 'one', model: 'lab/model', endpoint: 'chat', prompt, answer: null }) as const;

/** A link on which as many requests are open as there may be. Their ids are 1, 2, and so on. */
function openFull() {
  const clock = new ManualClock();
  const sent: Count[] = [];
  const client = new TokenCountClient(clock, (message) => void sent.push(message));
  for (let nth = 1; nth <= OPEN_MAX; nth++) void client.ask(question());
  return {
    client,
    clock,
    last: () => sent.at(-1)?.prompt,
    answer: (id: number) => client.answer({ type: 'counted', id, prompt: 7, answer: null }),
  };
}

test('a place that becomes free is taken by who waits for it, and by nobody else in between', async () => {
  const { client, last, answer } = openFull();
  const waiting = client.askInTurn(1, () => question('waits'));
  answer(1);
  expect(await client.ask(question('is quick'))).toBe('busy');
  expect(last()).toBe('waits');
  answer(OPEN_MAX + 1);
  expect(await waiting).toMatchObject({ prompt: 7 });
});

test('who has just given up waiting takes no turn from who still waits', async () => {
  const { client, clock, last, answer } = openFull();
  const first = client.askInTurn(1, () => question('first'));
  clock.advance(1_000);
  const second = client.askInTurn(1, () => question('second'));
  clock.advance(1_000);
  answer(1);
  expect(await first).toBe('busy');
  expect(last()).toBe('second');
  answer(OPEN_MAX + 1);
  expect(await second).toMatchObject({ prompt: 7 });
});

test('the text of who waits is made when its turn comes, and never for who finds no place to wait', async () => {
  const { client, last, answer } = openFull();
  const made: string[] = [];
  const ask = (text: string) =>
    client.askInTurn(text.length, () => {
      made.push(text);
      return question(text);
    });
  const waiting = Array.from({ length: WAITING_MAX }, (_, nth) => ask(`${nth}`));
  expect(await ask('is one too many')).toBe('busy');
  expect(made).toEqual([]);
  answer(1);
  expect(made).toEqual(['0']);
  expect(last()).toBe('0');
  client.end();
  expect(await Promise.all(waiting)).toEqual([null, ...waiting.slice(1).map(() => 'busy')]);
  expect(made).toEqual(['0']);
});

test('of texts to be counted so many and so many bytes are under way, and a longer one goes alone', async () => {
  const { client, last, answer } = openFull();
  expect(await client.ask(question())).toBe('busy');
  for (let id = 1; id <= OPEN_MAX; id++) answer(id);
  // Two bytes each.
  const half = 'é'.repeat(OPEN_BYTES_MAX / 4);
  const [first, second] = [OPEN_MAX + 1, OPEN_MAX + 2];
  void client.ask(question(half));
  void client.ask(question(half));
  expect(await client.ask(question('x'))).toBe('busy');
  const long = client.askInTurn(OPEN_BYTES_MAX + 1, () => question('is long'));
  answer(first);
  expect(last()).toBe(half);
  answer(second);
  expect(last()).toBe('is long');
  expect(await client.ask(question('x'))).toBe('busy');
  answer(OPEN_MAX + 3);
  expect(await long).toMatchObject({ prompt: 7 });
  void client.ask(question('x'));
  expect(last()).toBe('x');
});
