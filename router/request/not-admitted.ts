/** Reports the end of a request that was not admitted, to the log and to its trace. */
import type { Refusal } from '../../shared/refusals.ts';
import { CLIENT_LEFT } from '../ledger/terms.ts';
import type { Caller } from './authenticate.ts';
import type { Call } from './call.ts';
import type { RequestLabels } from './metrics.ts';
import type { Reply } from './reply.ts';
import type { RequestLog } from './request-log.ts';
import type { RequestTrace } from './trace.ts';

/** What is known of a request so far. */
export type Known = {
  caller: Caller | null;
  labels: RequestLabels;
  trace: RequestTrace;
  isAdmitted: boolean;
};

type Parts = Readonly<{ requestLog: RequestLog }>;

const OK = 200;

export function reportRefused(
  { requestLog }: Parts,
  call: Call,
  { caller, labels: { model }, trace }: Known,
  refusal: Refusal,
): void {
  requestLog.refused(call, caller, model, refusal);
  trace.notAdmitted({ status: refusal.status, error: refusal.code, model });
}

/** The request got the answer of an earlier one, or its client left while it waited for it. */
export function reportRepeated(
  { requestLog }: Parts,
  call: Call,
  { caller, model, trace }: Readonly<{ caller: Caller; model: string; trace: RequestTrace }>,
  reply: Reply,
): void {
  requestLog.repeated(call, caller, model, reply);
  trace.notAdmitted({ status: reply.disconnected ? CLIENT_LEFT : OK, error: null, model });
}
