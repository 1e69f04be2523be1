import type { ReactNode } from 'react';
import { Button } from './form/button.tsx';
import { cx } from './class-names.ts';
import { Fault } from './form/field.tsx';
import { useIsTold } from './unreachable.tsx';

type EmptyProps = Readonly<{
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}>;

/** Says that there is nothing, what would be here, and how to get it. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center max-sm:py-8">
      {icon !== undefined && <div className="text-muted [&_svg]:size-6">{icon}</div>}
      <p className="text-sm font-medium">{title}</p>
      {children !== undefined && <div className="max-w-sm text-sm text-muted">{children}</div>}
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  );
}

export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden
      className={cx('animate-pulse rounded-md bg-sunken', className ?? 'h-4 w-full')}
    />
  );
}

type FailedProps = Readonly<{ error: Error; onRetry?: () => void }>;

export function Failed({ error, onRetry }: FailedProps) {
  if (useIsTold(error, onRetry)) {
    // The notice above the page says it. A panel has a place for what it lacks.
    return <div aria-hidden className="m-5 hidden h-16 rounded-md bg-sunken in-[section]:block" />;
  }
  return (
    <div className="grid justify-items-start gap-3 p-5">
      <Fault error={error} />
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Above earlier data, which may be out of date. */
function Outdated({ error, onRetry }: Required<FailedProps>) {
  if (useIsTold(error, onRetry)) return null;
  return (
    <div className="p-2">
      <Fault error={error} />
    </div>
  );
}

type LoadedProps<Answer> = Readonly<{
  query: Readonly<{
    data: Answer | undefined;
    error: Error | null;
    refetch: () => Promise<unknown>;
    // Lists only: `LoadedList` shows an error of the next page below the list.
    isFetchNextPageError?: boolean;
  }>;
  /** Shown until the first data arrives; grey lines by default. */
  loading?: ReactNode;
  children: (answer: Answer) => ReactNode;
}>;

/**
 * Renders the three states of a query, so that no page forgets one. Earlier data stays while the
 * query refetches. An error of the refetch is shown above the data.
 */
export function Loaded<Answer>({ query, loading, children }: LoadedProps<Answer>) {
  const again = () => void query.refetch();
  if (query.data !== undefined) {
    return (
      <>
        {query.error && !query.isFetchNextPageError && (
          <Outdated error={query.error} onRetry={again} />
        )}
        {children(query.data)}
      </>
    );
  }
  if (query.error) return <Failed error={query.error} onRetry={again} />;
  return (
    <div role="status" aria-label="Loading">
      {loading ?? (
        <div className="grid gap-3 p-5">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-1/2" />
        </div>
      )}
    </div>
  );
}
