import type { ReactNode } from 'react';

/** One line in place of the charts of a span in which nothing was recorded. */
export function NoHistory({ children }: { children: ReactNode }) {
  return (
    <p className="text-sm text-muted">
      <span className="font-medium text-ink">No history in this span.</span> {children}
    </p>
  );
}
