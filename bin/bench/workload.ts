/** The workload of a benchmark: arrivals and lengths, from a public trace or at a constant rate. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

export type Job = Readonly<{
  /** When the request arrives, in ms after the start. */
  atMs: number;
  promptTokens: number;
  completionTokens: number;
  /** Ids of the prompt's prefix blocks of 512 tokens. Null when the trace has none. */
  blocks: readonly number[] | null;
}>;

/** Reads the lines of a file, which is decompressed if it is gzip. */
async function* linesOf(file: string): AsyncIterable<string> {
  const raw = createReadStream(file);
  const input = file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw;
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

type MooncakeLine = {
  timestamp: number;
  input_length: number;
  output_length: number;
  hash_ids: number[];
};

function mooncakeJob(line: string): Job {
  const { timestamp, input_length, output_length, hash_ids } = JSON.parse(line) as MooncakeLine;
  return {
    atMs: timestamp,
    promptTokens: input_length,
    completionTokens: output_length,
    blocks: hash_ids,
  };
}

/** `2023-11-16 18:15:46.6805900,374,44` */
function azureJob(line: string): Job {
  const [stamp = '', prompt = '', completion = ''] = line.split(',');
  // A Date does not parse seven decimals of a second.
  const atMs = Date.parse(`${stamp.slice(0, 23).replace(' ', 'T')}Z`);
  if (Number.isNaN(atMs)) throw new Error(`not a line of an Azure trace: ${line}`);
  return {
    atMs,
    promptTokens: Number(prompt),
    completionTokens: Number(completion),
    blocks: null,
  };
}

/**
 * Reads a trace: Mooncake's JSON lines or Azure's CSV, gzip or not. Arrivals start at 0, in order.
 * Those with the same timestamp are spread until the next one, since Mooncake's clock ticks only
 * every three seconds. Throws when the trace has no requests or a line of it is not valid.
 */
export async function readTrace(file: string, limit: number): Promise<Job[]> {
  const jobs: Job[] = [];
  for await (const line of linesOf(file)) {
    if (jobs.length >= limit) break;
    if (line === '' || line.startsWith('TIMESTAMP')) continue;
    jobs.push(line.startsWith('{') ? mooncakeJob(line) : azureJob(line));
  }
  if (jobs.length === 0) throw new Error(`${file} has no requests`);
  jobs.sort((a, b) => a.atMs - b.atMs);
  return spread(jobs);
}

function spread(jobs: readonly Job[]): Job[] {
  const start = (jobs[0] as Job).atMs;
  const out: Job[] = [];
  for (let from = 0; from < jobs.length; ) {
    const { atMs } = jobs[from] as Job;
    let to = from;
    while (to < jobs.length && (jobs[to] as Job).atMs === atMs) to++;
    const gap = to < jobs.length ? (jobs[to] as Job).atMs - atMs : 0;
    for (let i = from; i < to; i++) {
      out.push({ ...(jobs[i] as Job), atMs: atMs - start + (gap * (i - from)) / (to - from) });
    }
    from = to;
  }
  return out;
}

/** Returns arrivals at a constant rate, all of one length. */
export function steadyJobs(options: {
  requests: number;
  perSecond: number;
  promptTokens: number;
  completionTokens: number;
}): Job[] {
  const { requests, perSecond, promptTokens, completionTokens } = options;
  return Array.from({ length: requests }, (_, index) => ({
    atMs: (index * 1000) / perSecond,
    promptTokens,
    completionTokens,
    blocks: null,
  }));
}
