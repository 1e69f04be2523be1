/** How a router has ended: in order, or because another one declared it dead. */
import type { Router } from '../../../../../shared/api/routers.ts';
import { When } from '../../../parts/shown.tsx';
import { KnownRouter } from './known-router.tsx';

type End = NonNullable<Router['ended']>;

/** "Shut down on Jan 31, 12:03:11", "Declared dead by gateway-1 · process 4711 on …". */
export function RouterEnd({ ended: { at, declared_dead_by: by } }: { ended: End }) {
  const when = <When at={at} precision="seconds" />;
  if (by === null) return <>Shut down on {when}</>;
  return (
    <>
      Declared dead by <KnownRouter id={by} /> on {when}
    </>
  );
}
