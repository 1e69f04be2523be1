import { CopyButton } from '../../parts/copy.tsx';

type SampleProps = Readonly<{ title: string; what: string; code: string }>;

/** An example with its title, and a button that copies it. A long one scrolls. */
export function Sample({ title, what, code }: SampleProps) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border bg-sunken">
      <figcaption className="flex items-center justify-between gap-2 border-b py-1 pr-1 pl-3 text-xs font-medium text-muted">
        {title}
        <CopyButton text={code} what={what} />
      </figcaption>
      <pre
        tabIndex={0}
        aria-label={what}
        className="max-h-96 overflow-auto p-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
      >
        {code}
      </pre>
    </figure>
  );
}
