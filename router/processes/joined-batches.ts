/**
 * The writer of the SQLite file, for several children: batches that wait for it are joined, so that
 * they share its commits.
 */
import type { BatchAnswer } from '../store/procedure.ts';
import type { BatchResult, SqliteCommand } from '../store/sqlite/messages.ts';
import type { ThreadCommand } from '../store/threads/messages.ts';
import type { OnAnswers } from '../store/threads/pending-calls.ts';
import type { ThreadHandle } from '../store/threads/thread.ts';

/** As many as a child puts into a batch of its own. */
const OPERATIONS_MAX = 512;

type Batch = Extract<SqliteCommand, { kind: 'batch' }>;
type Answers = readonly BatchAnswer<unknown>[];

/** `from`: the index of its first operation in the joined batch. */
type Part = {
  readonly batch: Batch;
  readonly onAnswers: OnAnswers | undefined;
  readonly result: PromiseWithResolvers<BatchResult>;
  from: number;
};

export class JoinedBatches implements ThreadHandle<SqliteCommand> {
  readonly #writer: ThreadHandle<SqliteCommand>;
  #waiting: Part[] = [];
  #running = false;

  constructor(writer: ThreadHandle<SqliteCommand>) {
    this.#writer = writer;
  }

  send(command: ThreadCommand | SqliteCommand, onAnswers?: OnAnswers): Promise<unknown> {
    if (command.kind !== 'batch') return this.#writer.send(command, onAnswers);
    const result = Promise.withResolvers<BatchResult>();
    this.#waiting.push({ batch: command, onAnswers, result, from: 0 });
    if (!this.#running) void this.#run();
    return result.promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const parts = this.#next();
      const operations = parts.flatMap(({ batch }) => batch.operations);
      const { name } = (parts[0] as Part).batch;
      try {
        const { answers, ...figures } = (await this.#writer.send(
          { kind: 'batch', name, operations },
          (early) => {
            for (const part of parts) part.onAnswers?.(answersOf(part, early));
          },
        )) as BatchResult;
        for (const part of parts)
          part.result.resolve({ answers: answersOf(part, answers), ...figures });
      } catch (error) {
        for (const part of parts) part.result.reject(error);
      }
    }
    this.#running = false;
  }

  /** Takes the batches that wait, in their order, as far as they fit. At least one is waiting. */
  #next(): Part[] {
    const parts: Part[] = [];
    let operations = 0;
    for (const part of this.#waiting) {
      const { batch } = part;
      const fits = operations + batch.operations.length <= OPERATIONS_MAX;
      if (parts.length > 0 && !(fits && batch.name === parts[0]?.batch.name)) break;
      part.from = operations;
      operations += batch.operations.length;
      parts.push(part);
    }
    this.#waiting = this.#waiting.slice(parts.length);
    return parts;
  }
}

/** The answers to one part, with the indexes of its own operations. */
function answersOf({ from, batch: { operations } }: Part, answers: Answers): Answers {
  const own: BatchAnswer<unknown>[] = [];
  for (const [index, answer] of answers) {
    if (index >= from && index < from + operations.length) own.push([index - from, answer]);
  }
  return own;
}
