import type { ReactNode } from 'react';
import { useIsViewer } from '../session.tsx';

/** Controls that change something on the platform. A viewer among the operators does not see them. */
export function ForAdministrators({ children }: { children: ReactNode }) {
  return useIsViewer() ? null : children;
}
