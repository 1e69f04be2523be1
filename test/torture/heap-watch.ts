/** Asks a router what is on its heap, by a module that is loaded into it (heap-watcher.ts). */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../support/up.ts';
import type { HeapSeen } from './heap-watcher.ts';

const WATCHER = fileURLToPath(new URL('./heap-watcher.ts', import.meta.url));
const ANSWER_MS_MAX = 20_000;

export class HeapWatch implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'penstock-heap-'));
  readonly #file = join(this.#folder, 'seen');
  readonly #timers: NodeJS.ProcessEnv;
  #looks = 0;

  /** `timers`: whether they are counted as well, which costs memory where there are many buffers. */
  constructor({ timers }: Readonly<{ timers: boolean }>) {
    this.#timers = timers ? { HEAP_WATCH_TIMERS: '1' } : {};
  }

  /** The environment of the router that is watched. */
  get env(): NodeJS.ProcessEnv {
    return { NODE_OPTIONS: `--import ${WATCHER}`, HEAP_WATCH_FILE: this.#file, ...this.#timers };
  }

  /** Collects the garbage of the router, and returns what is left. */
  async look(pid: number): Promise<HeapSeen> {
    this.#looks += 1;
    process.kill(pid, 'SIGUSR2');
    await until(() => this.#lines().length === this.#looks, 'a look at the heap', ANSWER_MS_MAX);
    return JSON.parse(this.#lines().at(-1) ?? '') as HeapSeen;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #lines(): string[] {
    return existsSync(this.#file) ? readFileSync(this.#file, 'utf8').split('\n').slice(0, -1) : [];
  }
}
