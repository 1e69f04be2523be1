import type { ReactNode } from 'react';
import { CodeBlock, CodeTabs } from '../../parts/code/code-block.tsx';
import { DialogFooter, Done } from '../../parts/form/dialog.tsx';
import { VERIFY } from './verify.ts';

type SecretShownProps = Readonly<{
  secret: string;
  /** What to do next. */
  next?: ReactNode;
  onDone: () => void;
}>;

/** A new signing secret, and how to use it. */
export function SecretShown({ secret, next, onDone }: SecretShownProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 text-sm">
      <CodeBlock code={secret} what="signing secret" />
      <p>
        Verify with it that a request is from this service. The signatures follow Standard Webhooks,
        so its libraries can do that:
      </p>
      <CodeTabs tabs={VERIFY} />
      {next}
      <DialogFooter>
        <Done onClose={onDone} />
      </DialogFooter>
    </div>
  );
}
