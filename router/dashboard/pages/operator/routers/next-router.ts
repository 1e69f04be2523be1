import type { Router } from '../../../../../shared/api/routers.ts';

/**
 * Returns the first router that started on the machine of another one after that had ended. Null if
 * none has, or if the machine is not known. If several processes ended there at once, it is the same
 * router for each of them. A router that was declared dead had ended before: its last report is the
 * latest time at which it is known to have run.
 */
export function nextRouterOn({ id, host, ended, reported }: Router, all: readonly Router[]) {
  const isDeclared = (ended?.declared_dead_by ?? null) !== null;
  const end = (isDeclared ? reported : ended?.at) ?? reported ?? ended?.at ?? null;
  if (end === null || host === undefined || host === null) return null;
  const [next = null] = all
    .filter((one) => one.id !== id && one.host === host && one.started >= end)
    .toSorted((a, b) => a.started.localeCompare(b.started));
  return next;
}
