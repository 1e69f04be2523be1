import { useRouterState } from '@tanstack/react-router';
import { isOperatorPath } from '../pages.ts';
import { useIsViewer } from '../session.tsx';

/** Says on the pages of operators why a viewer misses the controls that change something. */
export function ViewerNotice() {
  const isViewer = useIsViewer();
  const isHere = useRouterState({ select: ({ location }) => isOperatorPath(location.pathname) });
  if (!isViewer || !isHere) return null;
  return (
    <p className="bg-accent-soft px-4 py-2 text-sm sm:px-8">
      Your role as operator is viewer: you can look at everything, and change nothing.
    </p>
  );
}
