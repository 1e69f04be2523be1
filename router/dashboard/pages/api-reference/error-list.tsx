import { Link } from '@tanstack/react-router';
import { Code } from '../../parts/shown.tsx';
import { LINK } from '../people/visitor-frame.tsx';
import type { ErrorCode } from './errors.ts';

/** The errors of an operation, which open on request: most operations have the same. */
export function ErrorList({ errors }: { errors: readonly ErrorCode[] }) {
  const statuses = [...new Set(errors.map(({ status }) => status))];
  return (
    <details className="text-sm">
      <summary className="w-max max-w-full rounded font-semibold">
        Errors <span className="font-normal text-muted">{statuses.join(', ')}</span>
      </summary>
      <div className="mt-1.5 border-y">
        <ErrorTable errors={errors} />
      </div>
      <p className="mt-2 text-xs text-muted">
        <Link to="/docs/api" hash="errors" search className={LINK}>
          The shape of errors
        </Link>
        , and when to try again
      </p>
    </details>
  );
}

export function ErrorTable({ errors }: { errors: readonly ErrorCode[] }) {
  return (
    <ul className="divide-y">
      {errors.map(({ status, code, message }) => (
        <li
          key={code}
          className="grid gap-x-3 gap-y-0.5 py-2 text-sm sm:grid-cols-[13rem_minmax(0,1fr)]"
        >
          <span className="flex items-baseline gap-2">
            <span className="text-xs text-muted tabular-nums">{status}</span>
            <Code>{code}</Code>
          </span>
          <span className="text-muted">{message}</span>
        </li>
      ))}
    </ul>
  );
}
