/** A page that is only a message: what has happened, what the reader can do, and one action. */
import type { ReactNode } from 'react';
import { requestIdOf } from '../api/client.ts';
import { Code } from './shown.tsx';
import { useTitle } from './page.tsx';

type MessagePageProps = Readonly<{
  icon: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
  /** Less prominent than the action: where else to go, or details for support. */
  below?: ReactNode;
}>;

/** The title is also the title of the window. */
export function MessagePage({ icon, title, children, action, below }: MessagePageProps) {
  useTitle(title);
  return (
    <div className="mx-auto grid w-full max-w-lg grid-cols-[minmax(0,1fr)] justify-items-center gap-2 px-4 py-16 text-center sm:py-[16vh]">
      <span
        aria-hidden
        className="mb-3 grid size-12 place-items-center rounded-xl border bg-panel text-muted shadow-panel [&_svg]:size-5"
      >
        {icon}
      </span>
      <h1 className="text-xl font-semibold tracking-tight text-balance wrap-anywhere">{title}</h1>
      <div className="text-sm text-balance wrap-anywhere text-muted">{children}</div>
      {action !== undefined && <div className="mt-4">{action}</div>}
      {below !== undefined && (
        <div className="mt-3 flex flex-wrap justify-center gap-x-5 gap-y-1.5 text-sm text-muted">
          {below}
        </div>
      )}
    </div>
  );
}

/** What support needs to know of an error. */
export function ErrorDetails({ error }: { error: Error }) {
  const id = requestIdOf(error);
  return (
    <p className="text-xs wrap-anywhere">
      {error.message}
      {id !== null && (
        <>
          {' '}
          Request ID: <Code>{id}</Code>
        </>
      )}
    </p>
  );
}
