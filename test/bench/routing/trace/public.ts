/** Reads traces by name or from a file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { seededRandom } from '../../../../shared/random.ts';
import { type MooncakeOptions, parseMooncake } from './mooncake.ts';
import { parseTextTrace } from './text.ts';
import type { Trace } from './trace.ts';

/**
 * Mooncake's public traces: an hour of a chat service, with timestamps rounded to three seconds and
 * block 0 as a prompt that all requests share, and a trace made from public data sets.
 */
const PUBLIC: Readonly<Record<string, MooncakeOptions & { file: string }>> = {
  conversation: {
    name: 'conversation',
    file: 'mooncake_conversation_trace.jsonl.gz',
    stampS: 3,
    sharedEnd: 1,
  },
  synthetic: {
    name: 'synthetic',
    file: 'mooncake_synthetic_trace.jsonl.gz',
    stampS: 0,
    sharedEnd: 0,
  },
};
export const PUBLIC_TRACES = Object.keys(PUBLIC);
/** The spreading of timestamps belongs to the trace, so it is the same in every run. */
const SPREAD_SEED = 1;

/**
 * The source of a trace: one of the names above with the folder of the files, or a file in the text
 * format.
 */
export type Source = Readonly<{ name: string; folder: string } | { file: string }>;

export function readTrace(source: Source): Trace {
  if ('file' in source) return parseTextTrace(unpacked(source.file));
  const known = PUBLIC[source.name];
  if (!known) throw new Error(`no public trace is called ${source.name}`);
  const text = unpacked(join(source.folder, known.file));
  return parseMooncake(text, known, seededRandom(SPREAD_SEED));
}

function unpacked(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}
