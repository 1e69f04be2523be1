/** Limits how long something on the store keeps others waiting. */
import type { Clock } from '../../shared/clock.ts';
import { StoreUnavailable } from './errors.ts';

/** Rejects with StoreUnavailable when `running` takes longer. `name` says in the error what it was. */
export async function within<Output>(
  clock: Clock,
  ms: number,
  name: string,
  running: Promise<Output>,
): Promise<Output> {
  const late = Promise.withResolvers<never>();
  const timer = clock.after(ms, () => {
    late.reject(new StoreUnavailable(`${name} took longer than ${ms} ms`));
  });
  try {
    return await Promise.race([running, late.promise]);
  } finally {
    timer.cancel();
  }
}
