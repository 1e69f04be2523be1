/** One error for all parts of a page that cannot be loaded for one reason, which concerns them all. */
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { ApiError, requestIdOf } from '../api/client.ts';
import { Button } from './form/button.tsx';
import { Notice } from './notice.tsx';
import { Code } from './shown.tsx';

type Missed = Readonly<{ error: Error; onRetry: () => void }>;

/** Tells the page of a part that was not reached. Returns a function that takes that back. */
type Tell = (missed: Missed) => () => void;

const Page = createContext<Tell | null>(null);

/** Shows the error above the children, with a button that loads all of them again. */
export function ToldOnce({ children }: { children: ReactNode }) {
  const [all, setAll] = useState<readonly Missed[]>([]);
  const tell = useCallback<Tell>((missed) => {
    setAll((before) => [...before, missed]);
    return () => setAll((before) => before.filter((one) => one !== missed));
  }, []);
  const [first] = all;
  const id = first ? requestIdOf(first.error) : null;
  return (
    <Page value={tell}>
      {first && (
        <div role="alert">
          <Notice
            tone="bad"
            title={first.error.message}
            action={
              <Button size="small" onClick={() => all.forEach(({ onRetry }) => onRetry())}>
                Try again
              </Button>
            }
          >
            {id === null ? undefined : (
              <>
                Request ID: <Code>{id}</Code>
              </>
            )}
          </Notice>
        </div>
      )}
      {children}
    </Page>
  );
}

/** Returns whether the page tells the error, so that the part of the page need not. */
export function useIsTold(error: Error | null, onRetry: (() => void) | undefined): boolean {
  const tell = use(Page);
  const again = useEffectEvent(() => onRetry?.());
  const missed = error !== null && isUnreached(error) && tell !== null ? error : null;
  useEffect(
    () => (missed === null ? undefined : tell?.({ error: missed, onRetry: () => again() })),
    [missed, tell],
  );
  return missed !== null;
}

/**
 * Whether the service, or its store, is not reached. A proxy answers in place of a router that it does
 * not reach, with an error that is its own.
 */
function isUnreached(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.code === 'store_unavailable') return true;
  return error.code === 'unreachable' || (error.code === 'unknown' && error.status >= 502);
}
