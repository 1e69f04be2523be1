/** Stands in place of a page while its code is loaded. */
import { Skeleton } from '../parts/states.tsx';

export function PageSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="mx-auto grid w-full max-w-6xl gap-6 px-4 py-8 sm:px-8"
    >
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
