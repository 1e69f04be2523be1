/** Admission with the key as the store has it, also if the cached one is out of date. */
import type { IncomingMessage } from 'node:http';
import { isRefusal, Refusal } from '../../shared/refusals.ts';
import { type Admitted, type AdmitParts, admit, type Asking } from './admit.ts';
import { type Caller, type Callers, credentialsOf } from './authenticate.ts';
import { refuseModel } from './model-access.ts';

/**
 * Admits a request. Looks its key up once more when the cached key is out of date: the models that the
 * key may call may have changed, too.
 */
export async function admitCaller(
  parts: AdmitParts & Readonly<{ callers: Callers }>,
  request: IncomingMessage,
  caller: Caller,
  asking: Asking,
): Promise<(Admitted & { caller: Caller }) | Refusal> {
  const { call, parsed } = asking;
  const first = await admit(parts, caller, asking);
  if (isRefusal(first)) return first;
  if (first !== 'stale') return { caller, ...first };
  const credentials = credentialsOf(request.headers, parsed.api);
  parts.callers.forget(credentials);
  const fresh = await parts.callers.authenticate(credentials, call.region);
  if (isRefusal(fresh)) return fresh;
  const refused = refuseModel(fresh.models, parsed.model.entry.id);
  if (refused) return refused;
  const again = await admit(parts, fresh, asking);
  if (again === 'stale') return new Refusal('store_unavailable', { retryAfterS: 1 });
  return isRefusal(again) ? again : { caller: fresh, ...again };
}
