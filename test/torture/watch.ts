/** Watches an account from another process while a scene runs. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const WATCHER = fileURLToPath(new URL('./watcher.ts', import.meta.url));

/**
 * The number of reads, the lowest balance, and the lowest balance less holds. Amounts are in
 * pico-USD.
 */
export type Watched = Readonly<{ looks: number; balanceMin: bigint; freeMin: bigint }>;

export class Watch implements Disposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Resolves after the first read. */
  static async start(storeUrl: string, organization: string): Promise<Watch> {
    const child = fork(WATCHER, [storeUrl, organization], { execArgv: [] });
    const watch = new Watch(child);
    const [first] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([status]) => [`ended with status ${status}`]),
    ])) as [unknown];
    if (first !== 'watching') throw new Error(`the watcher did not start: ${String(first)}`);
    return watch;
  }

  async stop(): Promise<Watched> {
    const said = once(this.#child, 'message', { signal: AbortSignal.timeout(10_000) });
    this.#child.kill('SIGTERM');
    const [seen] = (await said) as [{ looks: number; balanceMin: string; freeMin: string }];
    return {
      looks: seen.looks,
      balanceMin: BigInt(seen.balanceMin),
      freeMin: BigInt(seen.freeMin),
    };
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }
}
