/** One request as it goes through the stations: who it is, where and when it came in. */
import type { RequestId } from '../../shared/ids.ts';
import type { Region } from '../../shared/wire/messages.ts';
import type { Ask } from './arrive.ts';

export type Call = Readonly<{
  id: RequestId;
  /** Of the listener it came in on. */
  region: Region;
  /** Wall clock at arrival, ms: what its usage row shows. */
  created: number;
  /** Monotonic clock at arrival, ms: what its deadlines count from. */
  arrived: number;
}>;

/** `chatcmpl-` or `cmpl-` and the request's own characters: one search finds both. */
export function completionId(call: Call, ask: Ask): string {
  return `${ask.endpoint === 'chat' ? 'chatcmpl' : 'cmpl'}-${call.id.slice('req_'.length)}`;
}
