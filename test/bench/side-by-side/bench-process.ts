/**
 * A process of the bench, and the two ends of the channel to it. The process reports its URL when
 * it is ready, answers one question at a time, and ends with the process that started it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

type Ready = Readonly<{ url: string }>;
type Reply = Readonly<{ answer: unknown }> | Readonly<{ error: string }>;

/** Node's own arguments, and environment variables besides those of this process. */
type StartOptions = Readonly<{
  nodeFlags?: readonly string[];
  env?: Readonly<Record<string, string>>;
}>;

export class BenchProcess implements AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, { url }: Ready) {
    this.#child = child;
    this.url = url;
    this.pid = child.pid as number;
  }

  /** Starts a file of the bench. The signal ends the process. */
  static async start(
    file: URL,
    args: readonly string[],
    signal: AbortSignal,
    { nodeFlags = [], env = {} }: StartOptions = {},
  ): Promise<BenchProcess> {
    const child = fork(file, args, {
      signal,
      execArgv: [...process.execArgv, ...nodeFlags],
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    // The signal makes the process emit an error. The exit tells the rest.
    child.on('error', () => {});
    return new BenchProcess(child, (await messageOf(child)) as Ready);
  }

  async ask<Answer>(question: object): Promise<Answer> {
    this.#child.send(question);
    const reply = (await messageOf(this.#child)) as Reply;
    if ('error' in reply) throw new Error(reply.error);
    return reply.answer as Answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}

/** The next message of a process. Rejects if the process ends first. */
async function messageOf(child: ChildProcess): Promise<unknown> {
  const heard = Promise.withResolvers<unknown>();
  const onMessage = (message: unknown) => heard.resolve(message);
  const onExit = () => heard.reject(new Error(`${child.spawnargs.at(1)} has ended`));
  child.once('message', onMessage).once('exit', onExit);
  try {
    return await heard.promise;
  } finally {
    child.off('message', onMessage).off('exit', onExit);
  }
}

/** The process's own end: reports its URL, and answers the questions of its parent. */
export function answerParent(url: string, answer: (question: unknown) => Promise<unknown>): void {
  process.on('disconnect', () => process.exit(1));
  // Ctrl-C reaches every process of the terminal, but the parent ends the others in its own order.
  process.on('SIGINT', () => {});
  process.on('message', (question) => {
    answer(question).then(
      (told) => process.send?.({ answer: told } satisfies Reply),
      (error: unknown) => process.send?.({ error: String(error) } satisfies Reply),
    );
  });
  process.send?.({ url } satisfies Ready);
}
