/**
 * Polls `nvidia-smi`, if it is installed, for the host's GPUs: name, memory and utilization, every
 * few seconds. A driver that hangs does not block the agent.
 */
import { execFile } from 'node:child_process';
import { type Clock, sleep } from '../shared/clock.ts';
import type { Gpu } from '../shared/wire/messages.ts';

const GPU_POLL_MS = 5_000;
const GPU_QUERY_MS_MAX = 4_000;
const GPU_ANSWER_BYTES_MAX = 256 * 1_024;
const MIB = 1_048_576;

const ARGUMENTS = [
  '--query-gpu=index,name,memory.used,memory.total,utilization.gpu',
  '--format=csv,noheader,nounits',
];

/** GPUs by their index. */
export type Gpus = ReadonlyMap<number, Gpu>;

/** Parses nvidia-smi's table. A value that nvidia-smi does not know (`[N/A]`) becomes 0. */
export function parseGpus(csv: string): Gpus {
  const gpus = new Map<number, Gpu>();
  for (const line of csv.split('\n')) {
    const fields = line.split(',').map((field) => field.trim());
    const [index, name] = fields;
    if (fields.length < 5 || !/^\d{1,4}$/.test(index ?? '') || !name) continue;
    const [used, total, use] = fields.slice(-3).map(numberOf) as [number, number, number];
    gpus.set(Number(index), {
      name: fields.slice(1, -3).join(', ').slice(0, 64),
      memoryUsedBytes: used * MIB,
      memoryTotalBytes: total * MIB,
      use: Math.min(1, use / 100),
    });
  }
  return gpus;
}

function numberOf(field: string): number {
  return /^\d{1,9}$/.test(field) ? Number(field) : 0;
}

/** Polls until disposed of. Polling ends for good when nvidia-smi is not installed. */
export class GpuWatch implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #clock: Clock;
  readonly #running: Promise<void>;
  #gpus: Gpus = new Map();
  #ended = false;

  constructor(clock: Clock, onChange: (gpus: Gpus) => void) {
    this.#clock = clock;
    this.#running = this.#run(onChange).finally(() => {
      this.#ended = true;
    });
  }

  /** Whether polling has ended: nvidia-smi is not installed, or the watch was disposed of. */
  get ended(): boolean {
    return this.#ended;
  }

  get gpus(): Gpus {
    return this.#gpus;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(onChange: (gpus: Gpus) => void): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const answer = await this.#query();
      if (answer === 'none' || signal.aborted) return;
      this.#gpus = answer === 'late' ? new Map() : parseGpus(answer.csv);
      onChange(this.#gpus);
      await sleep(this.#clock, GPU_POLL_MS, signal);
    }
  }

  /**
   * Runs nvidia-smi once. Returns `none` when it is not installed, and `late` when it timed out or
   * failed. A process that is stuck in the driver does not exit even on SIGKILL. Until it exits, no
   * other process is started, and nothing else waits for it.
   */
  #query(): Promise<Readonly<{ csv: string }> | 'late' | 'none'> {
    return new Promise((resolve) => {
      const options = {
        timeout: GPU_QUERY_MS_MAX,
        killSignal: 'SIGKILL',
        maxBuffer: GPU_ANSWER_BYTES_MAX,
        signal: this.#stop.signal,
      } as const;
      execFile('nvidia-smi', ARGUMENTS, options, (error, csv) => {
        if (!error) return resolve({ csv });
        resolve('code' in error && error.code === 'ENOENT' ? 'none' : 'late');
      });
    });
  }
}
