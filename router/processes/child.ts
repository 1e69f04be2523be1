/** The parent's side of one child. */
import cluster, { type Worker } from 'node:cluster';
import type { Clock } from '../../shared/clock.ts';
import { ConfigError } from '../config-error.ts';
import type { Answers, FromChild, FromParent, Question, Ready } from './messages.ts';

/** How long a child may take to answer a question. */
const ANSWER_MS_MAX = 2_000;

type ChildParts = Readonly<{
  clock: Clock;
  /** Environment variables besides those of the parent. */
  env: Readonly<Record<string, string>>;
  /** Gets all messages that this class does not handle. */
  hear: (message: FromChild, from: Child) => void;
}>;

export class Child {
  readonly #worker: Worker;
  readonly #clock: Clock;
  readonly #questions = new Map<number, (answer: Answers[Question] | null) => void>();
  #nextId = 0;
  #listening: PromiseWithResolvers<Ready> | null = Promise.withResolvers<Ready>();
  #end: () => void = () => {};
  /** The status of the process: null while it runs, or if a signal ended it. */
  status: number | null = null;
  /** Resolves when the process has ended. Never rejects. */
  readonly ended: Promise<void>;

  constructor({ clock, env, hear }: ChildParts) {
    this.#clock = clock;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    // Nobody may be waiting for it any more when it fails.
    this.#listening?.promise.catch(() => {});
    this.#worker = cluster.fork(env);
    this.#worker.on('message', (message: FromChild) => {
      if (message.kind === 'ready') this.#nowListens(message.ready);
      else if (message.kind === 'answer') this.#questions.get(message.id)?.(message.answer);
      else hear(message, this);
    });
    this.#worker.on('error', () => {
      // Without a pid it was never started, so it will not exit either. Otherwise its exit follows.
      if (this.#worker.process.pid === undefined) this.#exited(null);
    });
    this.#worker.once('exit', (status: number | null) => this.#exited(status));
  }

  get id(): number {
    return this.#worker.id;
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  /**
   * Resolves when the child listens, with what it reports; to be called at most once, because the
   * report may contain the secrets of a first run. Rejects if the child ends before that.
   */
  listening(): Promise<Ready> {
    return this.#listening?.promise ?? Promise.reject(new Error('the report was taken already'));
  }

  tell(message: FromParent): void {
    // A message to a process that is ending cannot be sent. Its end is what counts.
    if (this.#worker.isConnected()) this.#worker.send(message, () => {});
  }

  /** Returns null if the child does not answer in time. */
  ask<Asked extends Question>(question: Asked): Promise<Answers[Asked] | null> {
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const answer = (value: Answers[Question] | null) => {
        late.cancel();
        this.#questions.delete(id);
        resolve(value as Answers[Asked] | null);
      };
      const late = this.#clock.after(ANSWER_MS_MAX, () => answer(null));
      this.#questions.set(id, answer);
      this.tell({ kind: 'ask', id, question });
    });
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#worker.process.kill(signal);
  }

  #nowListens(ready: Ready): void {
    this.#listening?.resolve(ready);
    this.#listening = null;
  }

  #exited(status: number | null): void {
    this.status = status;
    const fault = `a process of the router ended before it was ready, with status ${status}`;
    // It has printed its reason.
    this.#listening?.reject(status === 2 ? new ConfigError(fault) : new Error(fault));
    this.#listening = null;
    for (const answer of this.#questions.values()) answer(null);
    this.#end();
  }
}
