/**
 * The text format of a trace: a header `#name requests idsEnd sharedEnd`, then a line for each
 * request, `seconds input output session blocks id…`, in order of time.
 */
import type { Trace, TraceRequest } from './trace.ts';

const TOKENS_MAX = 10_000_000;
const ID_MAX = 2 ** 31;

export function parseTextTrace(text: string): Trace {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const header = /^#(\S+) (\d+) (\d+) (\d+)$/.exec(lines[0]?.trim() ?? '');
  if (!header) throw new Error('line 1: expected `#name requests idsEnd sharedEnd`');
  const [, name = '', count, idsEnd, sharedEnd] = header;
  const requests = lines.slice(1).map((line, at) => parseRequest(line, at + 2, Number(idsEnd)));
  if (requests.length !== Number(count)) {
    throw new Error(`the header says ${count} requests, there are ${requests.length}`);
  }
  if (requests.length === 0) throw new Error('a trace without requests');
  for (const [at, { atS }] of requests.entries()) {
    if (atS < (requests[at - 1]?.atS ?? 0)) throw new Error(`line ${at + 2}: goes back in time`);
  }
  return { name, requests, idsEnd: Number(idsEnd), sharedEnd: Number(sharedEnd) };
}

function parseRequest(line: string, number: number, idsEnd: number): TraceRequest {
  const fields = line.trim().split(/\s+/).map(Number);
  const [atS = -1, inputTokens = 0, outputTokens = -1, session = -1, count = -1] = fields;
  const blocks = fields.slice(5);
  const sound =
    fields.every((field) => Number.isFinite(field) && field >= 0) &&
    fields.slice(1).every(Number.isInteger) &&
    inputTokens >= 1 &&
    Math.max(inputTokens, outputTokens) <= TOKENS_MAX &&
    blocks.length === count &&
    idsEnd <= ID_MAX &&
    blocks.every((id) => id < idsEnd);
  if (!sound)
    throw new Error(`line ${number}: expected \`seconds input output session blocks id…\``);
  return {
    atS,
    inputTokens,
    outputTokens: Math.max(1, outputTokens),
    session,
    blocks: Uint32Array.from(blocks),
  };
}
