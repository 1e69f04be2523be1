/** A request that was admitted: it has a hold, and every path must settle or release the hold. */
import type { Hold } from '../ledger/hold.ts';
import type { ParsedRequest } from './arrive.ts';
import type { Caller } from './authenticate.ts';
import type { Call } from './call.ts';
import type { Reply } from './reply.ts';
import type { RequestTrace } from './trace.ts';
import type { Tries } from './tries.ts';

export type AdmittedRequest = Readonly<{
  call: Call;
  caller: Caller;
  parsed: ParsedRequest;
  hold: Hold;
  reply: Reply;
  tries: Tries;
  trace: RequestTrace;
}>;
