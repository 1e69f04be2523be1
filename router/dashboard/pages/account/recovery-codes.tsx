import { CodeBlock } from '../../parts/code/code-block.tsx';
import { Dialog, DialogFooter, Done } from '../../parts/form/dialog.tsx';

type RecoveryCodesDialogProps = Readonly<{ codes: readonly string[]; onClose: () => void }>;

/** Shows the recovery codes once: the API never returns them again. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  return (
    <Dialog
      secrets={codes}
      onClose={onClose}
      title="Save your recovery codes"
      description="Two-factor authentication is on. If you lose your authenticator, each code signs you in once. You won't see the codes again."
    >
      <CodeBlock code={codes.join('\n')} what="recovery codes" />
      <DialogFooter>
        <Done onClose={onClose} />
      </DialogFooter>
    </Dialog>
  );
}
