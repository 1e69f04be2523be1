import { useMutation } from '@tanstack/react-query';
import type { AllowedChanges, NewAllowedChanges } from '../../../shared/api/operator-changes.ts';
import { CHANGES_ALLOWED_MINUTES } from '../../../shared/operator-changes.ts';
import { send, type Sent } from '../api/client.ts';
import { allowedChangesPath } from '../api/operator-changes.ts';
import { ofOrganization } from '../api/organization.ts';
import { FormDialog } from '../parts/form/form-dialog.tsx';
import { ReasonField } from '../parts/form/reason-field.tsx';

type Props = Readonly<{
  organization: string;
  name: string;
  onClose: () => void;
  /** What the operator wants to do then, if it is known. */
  next?: Readonly<{
    /** A sentence that says so. */
    told: string;
    onAllowed: () => void;
  }>;
}>;

/** Asks an operator for the reason to change a customer's organization. */
export default function AllowChangesDialog({ organization, name, onClose, next }: Props) {
  const allow = useMutation({
    mutationFn: (body: Sent<typeof NewAllowedChanges>) =>
      send<AllowedChanges>('POST', allowedChangesPath(organization), body),
    meta: { refetch: [ofOrganization(organization, 'operator-changes')] },
    onSuccess: next?.onAllowed ?? onClose,
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Allow changes in ${name}`}
      description={
        <>
          You can change everything that its administrators can, for {CHANGES_ALLOWED_MINUTES}{' '}
          minutes. The customer reads your reason in the audit log, but not your name.
          {next && ` ${next.told}`}
        </>
      }
      action="Allow changes"
      mutation={allow}
      fields={['reason']}
      onSend={(text) => allow.mutate({ reason: text('reason') })}
    >
      <ReasonField />
    </FormDialog>
  );
}
