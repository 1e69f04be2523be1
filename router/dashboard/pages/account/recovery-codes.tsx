import { Button } from '../../parts/form/button.tsx';
import { CodeBlock } from '../../parts/code/code-block.tsx';

type RecoveryCodesProps = Readonly<{ codes: readonly string[]; onDone: () => void }>;

/** Shows the recovery codes once: the API never returns them again. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  return (
    <section
      aria-label="Recovery codes"
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line-strong p-4"
    >
      <div role="status" className="grid gap-0.5 text-sm">
        <p className="font-medium">Two-factor authentication is on. Save these recovery codes.</p>
        <p className="text-muted">
          If you lose your authenticator, each code signs you in once. You won't see the codes
          again.
        </p>
      </div>
      <CodeBlock code={codes.join('\n')} what="recovery codes" />
      <Button className="justify-self-start" onClick={onDone}>
        I have saved them
      </Button>
    </section>
  );
}
