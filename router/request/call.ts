/** The identity of a request: its id, its region and the time of its arrival. */
import type { RequestId } from '../../shared/ids.ts';
import type { Region } from '../../shared/region.ts';
import type { Api } from './api.ts';
import type { ParsedRequest } from './arrive.ts';

/** Where and when a request came in. It may have waited since then for its turn to begin. */
export type Arrival = Readonly<{
  /** The region of the listener that it came in on. */
  region: Region;
  /** Wall clock at arrival, in ms, for the usage row. */
  created: number;
  /** Monotonic clock at arrival, in ms. Deadlines count from it. */
  arrived: number;
}>;

export type Call = Arrival & Readonly<{ id: RequestId }>;

const PREFIXES = {
  chat: 'chatcmpl-',
  completions: 'cmpl-',
  responses: 'resp_',
  messages: 'msg_',
} as const satisfies Record<Api, string>;

/** The prefix of the API, and the rest of the request id, so that one search finds both. */
export function completionId(call: Call, { api }: Pick<ParsedRequest, 'api'>): string {
  return `${PREFIXES[api]}${call.id.slice('req_'.length)}`;
}
