/** Traces by name or by file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { seededRandom } from '../../../../shared/random.ts';
import { type MooncakeOptions, parseMooncake } from './mooncake.ts';
import { parseTextTrace } from './text.ts';
import type { Trace } from './trace.ts';

/**
 * Mooncake's public traces: a chat service's hour, its stamps rounded to three seconds and block 0 a prompt that all
 * share; and one made from public data sets.
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
/** How stamps are spread belongs to the trace: it is the same in every run. */
const SPREAD_SEED = 1;

/** Where a trace is: a name of the above and the folder of their files, or a file in the text form. */
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
