import { cx } from '../../parts/class-names.ts';
import { Highlighted } from '../../parts/highlighted.tsx';
import type { Operation } from './operations.ts';

type EndpointProps = Readonly<{
  operation: Operation;
  /** Where the path begins, if that is shown. */
  base?: string;
  words?: readonly string[];
}>;

/** The method and the path of an operation, in which the `words` of a filter are marked. */
export function Endpoint({ operation: { method, path }, base = '', words = [] }: EndpointProps) {
  return (
    <span className="flex min-w-0 items-start gap-2">
      <MethodBadge method={method} />
      <code className="min-w-0 font-mono text-xs leading-5 wrap-anywhere text-muted">
        {base}
        <Highlighted text={path} words={words} />
      </code>
    </span>
  );
}

const LOOKS: Readonly<Record<string, string>> = {
  GET: 'bg-sunken text-muted',
  POST: 'bg-good-soft text-good',
  PUT: 'bg-warn-soft text-warn',
  PATCH: 'bg-warn-soft text-warn',
  DELETE: 'bg-bad-soft text-bad',
};

/** The method of an operation. Reads, changes and deletions are told apart by colour, too. */
function MethodBadge({ method }: { method: string }) {
  return (
    <span
      className={cx(
        'inline-block min-w-14 shrink-0 rounded px-1.5 py-0.5 text-center font-mono text-[0.6875rem] leading-4 font-semibold',
        LOOKS[method],
      )}
    >
      {method}
    </span>
  );
}
