/**
 * Usage as CSV: one line per request, or one line per bucket and group. A new field of the JSON must
 * be added to the columns here.
 */
import type { FastifyReply } from 'fastify';
import type { UsageEntry, UsageSummary } from '../../../shared/api/usage.ts';
import { csvRecord } from '../../../shared/csv.ts';
import { asFile, csvText, sendPages } from '../csv-file.ts';

const ENTRY_COLUMNS = [
  'created',
  'request_id',
  'completion_id',
  'model',
  'key_id',
  'key_name',
  'member_id',
  'source',
  'region',
  'worker',
  'prompt_tokens',
  'cached_tokens',
  'cached_source',
  'completion_tokens',
  'reasoning_tokens',
  'cost',
  'ttft_ms',
  'duration_ms',
  'finish_reason',
  'status',
  'error',
] as const satisfies readonly (keyof UsageEntry)[];

const SUM_COLUMNS = [
  'requests',
  'errors',
  'cancelled',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'cost',
  'cached_savings',
] as const;
const LATENCIES = ['ttft_ms', 'duration_ms'] as const;
const PERCENTILES = ['p50', 'p90', 'p99'] as const;

export function sendEntries(
  reply: FastifyReply,
  pages: AsyncIterable<readonly UsageEntry[]>,
): FastifyReply {
  const columns = ENTRY_COLUMNS.map((column) => [column, (entry: UsageEntry) => entry[column]]);
  return sendPages(reply, 'usage', Object.fromEntries(columns), pages);
}

/** Sends a CSV file that is already serialized. */
export function sendFile(reply: FastifyReply, name: string, csv: Uint8Array): FastifyReply {
  return asFile(reply, name).send(csv);
}

export function summaryCsv(summary: UsageSummary): string {
  return [...summaryLines(summary)].join('');
}

function* summaryLines({ group_by, groups, data }: UsageSummary): Generator<string> {
  const names = new Map(groups.map(({ group, other, name }) => [nameOf(group, other), name]));
  const grouped = group_by === null ? [] : [group_by, `${group_by}_name`];
  const latencies = LATENCIES.flatMap((column) => PERCENTILES.map((name) => `${column}_${name}`));
  yield csvRecord(['start', ...grouped, ...SUM_COLUMNS, ...latencies, 'tokens_per_second']);
  for (const row of data) {
    const name = nameOf(row.group, row.other);
    yield csvRecord([
      row.start,
      ...(group_by === null ? [] : [name, csvText(names.get(name) ?? null)]),
      ...SUM_COLUMNS.map((column) => csvText(row[column])),
      ...LATENCIES.flatMap((column) => PERCENTILES.map((at) => csvText(row[column]?.[at] ?? null))),
      csvText(row.tokens_per_second),
    ]);
  }
}

function nameOf(group: string | null, other: boolean): string {
  return other ? '(others)' : csvText(group);
}
