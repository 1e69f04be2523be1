/**
 * Reports the end of a request that was not admitted: to the log, to its trace and to its
 * organization.
 */
import { isRefusal, type Refusal } from '../../shared/refusals.ts';
import type { Region } from '../../shared/region.ts';
import { CLIENT_LEFT } from '../ledger/terms.ts';
import type { RefusalRecorder } from '../usage/refusals/recorder.ts';
import type { Caller } from './authenticate.ts';
import type { Call } from './call.ts';
import { KeyRefusal } from './key-refusal.ts';
import type { RequestLabels } from './metrics.ts';
import type { Reply } from './reply.ts';
import type { RequestLog } from './request-log.ts';
import { endpointOf, type Route } from './routes.ts';
import { type RequestTrace, UNTRACED } from './trace.ts';

/** What is known of a request so far. */
export type Known = {
  caller: Caller | null;
  route: Route | Refusal;
  /** The model as the client wrote it. Null until the body is read. */
  requestedModel: string | null;
  labels: RequestLabels;
  trace: RequestTrace;
  isAdmitted: boolean;
};

export type NotAdmittedParts = Readonly<{
  requestLog: RequestLog;
  /** Keeps refusals for their organizations. */
  refusals: Pick<RefusalRecorder, 'note'>;
}>;

export function knownAtFirst(route: Route | Refusal, region: Region): Known {
  return {
    caller: null,
    route,
    requestedModel: isRefusal(route) || route.kind !== 'model' ? null : route.id,
    labels: { region, model: null, streamed: null },
    trace: UNTRACED,
    isAdmitted: false,
  };
}

const OK = 200;

export function reportRefused(
  { requestLog, refusals }: NotAdmittedParts,
  call: Call,
  { caller, route, requestedModel, labels: { model }, trace }: Known,
  refusal: Refusal,
): void {
  requestLog.refused(call, caller, model, refusal);
  trace.notAdmitted({ status: refusal.status, error: refusal.code, model });
  const owner = caller ?? (refusal instanceof KeyRefusal ? refusal.owner : null);
  if (owner === null) return;
  const { id: request, region, created } = call;
  const { organization, key } = owner;
  const { code, status, param, message } = refusal;
  refusals.note({
    request,
    organization,
    key,
    region,
    endpoint: isRefusal(route) ? null : endpointOf(route),
    model: requestedModel,
    param,
    message,
    status,
    code,
    created,
  });
}

/** The request got the answer of an earlier one, or its client left while it waited for it. */
export function reportRepeated(
  { requestLog }: Pick<NotAdmittedParts, 'requestLog'>,
  call: Call,
  { caller, model, trace }: Readonly<{ caller: Caller; model: string; trace: RequestTrace }>,
  reply: Reply,
): void {
  requestLog.repeated(call, caller, model, reply);
  trace.notAdmitted({ status: reply.disconnected ? CLIENT_LEFT : OK, error: null, model });
}
