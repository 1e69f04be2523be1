import { Copied } from './copy.tsx';
import { Code } from './shown.tsx';

/** An id with a button that copies it. `what` names it, such as "the key ID". */
export function Id({ id, what }: { id: string; what: string }) {
  return (
    <Copied text={id} what={what}>
      <Code>{id}</Code>
    </Copied>
  );
}
