/** The identity of a request: its id, its region and the time of its arrival. */
import type { RequestId } from '../../shared/ids.ts';
import type { Region } from '../../shared/region.ts';
import type { ParsedRequest } from './arrive.ts';

export type Call = Readonly<{
  id: RequestId;
  /** The region of the listener that it came in on. */
  region: Region;
  /** Wall clock at arrival, in ms, for the usage row. */
  created: number;
  /** Monotonic clock at arrival, in ms. Deadlines count from it. */
  arrived: number;
}>;

/** `chatcmpl-` or `cmpl-`, and the rest of the request id, so that one search finds both. */
export function completionId(call: Call, parsed: ParsedRequest): string {
  return `${parsed.endpoint === 'chat' ? 'chatcmpl' : 'cmpl'}-${call.id.slice('req_'.length)}`;
}
