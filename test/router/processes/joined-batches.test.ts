/** Batches of several processes that share the commits of one writer. */
import { expect, test } from 'vitest';
import { JoinedBatches } from '../../../router/processes/joined-batches.ts';
import type { SqliteCommand } from '../../../router/store/sqlite/messages.ts';
import type { ThreadCommand } from '../../../router/store/threads/messages.ts';
import type { OnAnswers } from '../../../router/store/threads/pending-calls.ts';

type Command = ThreadCommand | SqliteCommand;

/** A writer that answers when the test says so. */
class GatedWriter {
  readonly sent: {
    command: Command;
    onAnswers: OnAnswers | undefined;
    end: PromiseWithResolvers<unknown>;
  }[] = [];

  send(command: Command, onAnswers?: OnAnswers): Promise<unknown> {
    const end = Promise.withResolvers<unknown>();
    this.sent.push({ command, onAnswers, end });
    return end.promise;
  }

  operations(nth: number): readonly unknown[] {
    const command = this.sent[nth]?.command;
    return command?.kind === 'batch' ? command.operations : [];
  }
}

const batch = (...operations: unknown[]) =>
  ({ kind: 'batch', name: 'ledger', operations }) as const;

test('batches that come while one runs are joined, and each gets its own answers', async () => {
  const writer = new GatedWriter();
  const joined = new JoinedBatches(writer);
  const early: unknown[] = [];
  const first = joined.send(batch('a'));
  const second = joined.send(batch('b', 'c'), (answers) => early.push(...answers));
  const third = joined.send(batch('d'));
  expect(writer.sent).toHaveLength(1);
  writer.sent[0]?.end.resolve({ answers: [[0, 'A']], commitMs: 1 });
  expect(await first).toEqual({ answers: [[0, 'A']], commitMs: 1 });

  expect(writer.operations(1)).toEqual(['b', 'c', 'd']);
  writer.sent[1]?.onAnswers?.([[1, 'C']]);
  expect(early).toEqual([[1, 'C']]);
  writer.sent[1]?.end.resolve({
    answers: [
      [2, 'D'],
      [0, 'B'],
    ],
    commitMs: 2,
  });
  expect(await second).toEqual({ answers: [[0, 'B']], commitMs: 2 });
  expect(await third).toEqual({ answers: [[0, 'D']], commitMs: 2 });
});

test('a failed batch fails all that were joined in it, and the next one runs', async () => {
  const writer = new GatedWriter();
  const joined = new JoinedBatches(writer);
  const first = joined.send(batch('a'));
  const others = [joined.send(batch('b')), joined.send(batch('c'))];
  writer.sent[0]?.end.reject(new Error('disk full'));
  await expect(first).rejects.toThrow('disk full');
  writer.sent[1]?.end.reject(new Error('still full'));
  for (const other of others) await expect(other).rejects.toThrow('still full');
  const last = joined.send(batch('d'));
  writer.sent[2]?.end.resolve({ answers: [[0, 'D']], commitMs: 1 });
  expect(await last).toEqual({ answers: [[0, 'D']], commitMs: 1 });
});

test('a joined batch has at most 512 operations, unless one alone has more', async () => {
  const writer = new GatedWriter();
  const joined = new JoinedBatches(writer);
  const many = (count: number) => batch(...Array.from({ length: count }, (_, index) => index));
  const all = [1, 400, 112, 1, 600, 3].map((count) => joined.send(many(count)));
  for (const [nth, count] of [1, 512, 1, 600, 3].entries()) {
    expect(writer.operations(nth)).toHaveLength(count);
    writer.sent[nth]?.end.resolve({ answers: [], commitMs: 1 });
    await new Promise(setImmediate);
  }
  await Promise.all(all);
});

test('a procedure does not wait for batches', async () => {
  const writer = new GatedWriter();
  const joined = new JoinedBatches(writer);
  void joined.send(batch('a'));
  void joined.send(batch('b'));
  const call = joined.send({ kind: 'procedure', name: 'readClock', input: null });
  expect(writer.sent.map(({ command }) => command.kind)).toEqual(['batch', 'procedure']);
  writer.sent[1]?.end.resolve('now');
  expect(await call).toBe('now');
});
