import { CopyButton } from './copy.tsx';
import { Code } from './shown.tsx';

/** An id with a button that copies it. `what` names it, such as "the key ID". */
export function Id({ id, what }: { id: string; what: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <Code>{id}</Code>
      <CopyButton text={id} what={what} />
    </span>
  );
}
