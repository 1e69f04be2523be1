/**
 * Runs trials on as many threads as there are cores. Each thread takes the next trial when it has
 * finished one.
 */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Figures } from './figures.ts';
import type { Trial } from './plan.ts';
import { readTrace, type Source } from './trace/public.ts';
import type { Trace } from './trace/trace.ts';
import { runTrial } from './trial.ts';

type Answer = Readonly<{ figures: Figures }>;

export async function runTrials(
  trials: readonly Trial[],
  options: Readonly<{
    sources: readonly Source[];
    threads: number;
    onDone(done: number): void;
  }>,
): Promise<Figures[]> {
  const results: Figures[] = [];
  let next = 0;
  let done = 0;
  const work = async () => {
    const thread = new Worker(new URL(import.meta.url), { workerData: options.sources });
    try {
      while (next < trials.length) {
        const at = next++;
        const answered = once(thread, 'message') as Promise<[Answer]>;
        thread.postMessage(trials[at], []);
        const [{ figures }] = await answered;
        results[at] = figures;
        options.onDone(++done);
      }
    } finally {
      await thread.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.threads, trials.length) }, work));
  return results;
}

function serve(port: NonNullable<typeof parentPort>, sources: readonly Source[]): void {
  const traces = new Map<string, Trace>();
  for (const source of sources) {
    const trace = readTrace(source);
    traces.set(trace.name, trace);
  }
  port.on('message', (trial: Trial) => {
    const trace = traces.get(trial.trace);
    if (!trace) throw new Error(`no trace ${trial.trace}`);
    port.postMessage({ figures: runTrial(trial, trace) } satisfies Answer, []);
  });
}

if (!isMainThread && parentPort) serve(parentPort, workerData as readonly Source[]);
