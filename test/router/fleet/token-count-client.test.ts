/** Requests to count tokens on one link: which are sent, and which wait. */
import { expect, test } from 'vitest';
import {
  CLIENTS_OPEN_MAX,
  OPEN_BYTES_MAX,
  OPEN_MAX,
  ORGANIZATION_WAITING_MAX,
  TokenCountClient,
  WAITING_MAX,
} from '../../../router/fleet/token-count-client.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Count } from '../../../shared/wire/messages.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const question = (prompt: string) =>
  ({ worker: 'one', model: 'lab/model', endpoint: 'chat', prompt, answer: null }) as const;

/** A link on which nothing is open. */
function openLink() {
  const clock = new ManualClock();
  const sent: Count[] = [];
  const client = new TokenCountClient(clock, (message) => void sent.push(message));
  const texts = () => sent.map(({ prompt }) => prompt);
  return {
    client,
    clock,
    texts,
    audit: (text: string) => client.ask(question(text)),
    ask: (text: string, { by = 'org_one', bytes = text.length } = {}) =>
      client.askInTurn({
        organization: by as OrganizationId,
        bytes,
        question: () => question(text),
      }),
    /** Answers the request with this text. */
    answer: (text: string) =>
      client.answer({ type: 'counted', id: texts().indexOf(text) + 1, prompt: 7, answer: null }),
  };
}

/** A link on which as many texts of clients are open as there may be: `open 1`, and so on. */
function openFull() {
  const link = openLink();
  for (let nth = 1; nth <= CLIENTS_OPEN_MAX; nth++) void link.ask(`open ${nth}`);
  return link;
}

test('a place that becomes free is taken by who waits for it, and by nobody else in between', async () => {
  const { ask, texts, answer } = openFull();
  const waiting = ask('waits');
  answer('open 1');
  const late = ask('is quick');
  expect(texts().at(-1)).toBe('waits');
  answer('waits');
  expect(await waiting).toMatchObject({ prompt: 7 });
  expect(texts().at(-1)).toBe('is quick');
  answer('is quick');
  expect(await late).toMatchObject({ prompt: 7 });
});

test('who has just given up waiting takes no turn from who still waits', async () => {
  const { ask, clock, texts, answer } = openFull();
  const first = ask('first');
  clock.advance(1_000);
  const second = ask('second');
  clock.advance(1_000);
  answer('open 1');
  expect(await first).toBe('busy');
  expect(texts().at(-1)).toBe('second');
  answer('second');
  expect(await second).toMatchObject({ prompt: 7 });
});

test('the text of who waits is made when its turn comes, and never for who finds no place', async () => {
  const { client, answer } = openFull();
  const made: number[] = [];
  const asked = Array.from({ length: WAITING_MAX + 1 }, (_, nth) =>
    client.askInTurn({
      organization: `org_${nth}` as OrganizationId,
      bytes: 1,
      question: () => {
        made.push(nth);
        return question(`${nth}`);
      },
    }),
  );
  expect(await asked.at(-1)).toBe('busy');
  expect(made).toEqual([]);
  answer('open 1');
  expect(made).toEqual([0]);
  client.end();
  expect(await Promise.all(asked)).toEqual([null, ...asked.slice(1).map(() => 'busy')]);
  expect(made).toEqual([0]);
});

test('an organization that asks much leaves places to wait, and the next turn, to others', async () => {
  const { ask, texts, answer } = openFull();
  for (let nth = 1; nth <= ORGANIZATION_WAITING_MAX; nth++) void ask(`waits ${nth}`);
  expect(await ask('one too many')).toBe('busy');
  const other = ask('of another', { by: 'org_two' });
  answer('open 1');
  expect(texts().at(-1)).toBe('of another');
  answer('of another');
  expect(texts().at(-1)).toBe('waits 1');
  expect(await other).toMatchObject({ prompt: 7 });
});

test('an organization that asks again goes behind those that have had no turn in the round', async () => {
  const { ask, texts, answer } = openLink();
  void ask('one', { by: 'org_one' });
  answer('one');
  for (const name of ['two', 'three', 'four']) void ask(name, { by: `org_${name}` });
  void ask('one, again', { by: 'org_one' });
  void ask('five', { by: 'org_five' });
  answer('two');
  expect(texts().at(-1)).toBe('five');
  answer('five');
  expect(texts().at(-1)).toBe('one, again');
});

test('an organization whose texts are long gets its next turn after the others', async () => {
  const { ask, texts, answer } = openLink();
  for (let nth = 1; nth <= ORGANIZATION_WAITING_MAX; nth++) {
    void ask(`long ${nth}`, { bytes: OPEN_BYTES_MAX });
  }
  void ask('short', { by: 'org_two' });
  expect(texts()).toEqual(['long 1']);
  answer('long 1');
  expect(texts().at(-1)).toBe('short');
  answer('short');
  expect(texts().at(-1)).toBe('long 2');
});

test('clients’ open texts are bounded in number and bytes, and a text beyond the bound goes alone', async () => {
  const { ask, texts, answer } = openLink();
  void ask('first', { bytes: OPEN_BYTES_MAX / 2 });
  void ask('second', { bytes: OPEN_BYTES_MAX / 2 });
  void ask('is long', { bytes: OPEN_BYTES_MAX + 1 });
  void ask('third');
  answer('first');
  expect(texts()).toEqual(['first', 'second']);
  answer('second');
  expect(texts()).toEqual(['first', 'second', 'is long']);
  answer('is long');
  for (const text of ['fourth', 'fifth', 'sixth']) void ask(text);
  expect(texts().slice(3)).toEqual(['third', 'fourth', 'fifth']);
});

test('clients leave a place for an audit, and bytes too, which are bounded as theirs are', async () => {
  const full = openFull();
  void full.audit('audit');
  expect(full.texts().at(-1)).toBe('audit');
  expect(await full.audit('another')).toBe('busy');
  const { ask, audit, texts } = openLink();
  void ask('of a client', { bytes: OPEN_BYTES_MAX });
  // Two bytes a character.
  const half = 'é'.repeat(OPEN_BYTES_MAX / 4);
  void audit(half);
  void audit(half);
  expect(texts()).toEqual(['of a client', half, half]);
  expect(await audit('x')).toBe('busy');
});

test('audits may use all places of a link', async () => {
  const { audit, texts } = openLink();
  const asked = Array.from({ length: OPEN_MAX + 1 }, (_, nth) => audit(`${nth}`));
  expect(await asked.at(-1)).toBe('busy');
  expect(texts()).toHaveLength(OPEN_MAX);
});

test('a wait that ends lets those behind it go, if there is room for them', async () => {
  const { ask, clock, texts } = openLink();
  void ask('open', { bytes: 2 });
  const long = ask('is long', { bytes: OPEN_BYTES_MAX });
  clock.advance(1_000);
  void ask('is short');
  expect(texts()).toEqual(['open']);
  clock.advance(1_000);
  expect(await long).toBe('busy');
  expect(texts()).toEqual(['open', 'is short']);
});
