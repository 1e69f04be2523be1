import { useMutation } from '@tanstack/react-query';
import type { Organization, OrganizationTerms } from '../../../../../shared/api/organizations.ts';
import { type Sent, send } from '../../../api/client.ts';
import { ofOrganization } from '../../../api/organization.ts';
import { Button } from '../../../parts/form/button.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { FormDialog } from '../../../parts/form/form-dialog.tsx';
import { useOpenedOne } from '../../../parts/opened.ts';
import { ReasonField } from '../../../parts/form/reason-field.tsx';
import { useIsViewer } from '../../../session.tsx';

/** A button that suspends the organization, or resumes it. */
export function SetStatus({ organization: { id, name, status } }: { organization: Organization }) {
  const suspended = status === 'suspended';
  const [opened, setOpened] = useOpenedOne(['suspend', 'resume'] as const);
  const change = suspended ? 'resume' : 'suspend';
  const isViewer = useIsViewer();
  const resumes = opened === 'resume';
  const set = useMutation({
    mutationFn: (reason: string) => {
      const terms: Sent<typeof OrganizationTerms> = {
        status: resumes ? 'active' : 'suspended',
        ...(reason === '' ? {} : { reason }),
      };
      return send<Organization>('PATCH', `/organizations/${id}/terms`, terms);
    },
    meta: { refetch: [ofOrganization(id)] },
    onSuccess: () => setOpened(null),
  });
  return (
    <>
      <ForAdministrators>
        <Button look={suspended ? 'primary' : 'danger'} onClick={() => setOpened(change)}>
          {suspended ? 'Resume' : 'Suspend'}
        </Button>
      </ForAdministrators>
      {/* A link to a suspension that has happened meanwhile opens nothing. One that is being sent stays
          open until its answer closes it, although the organization may be shown as suspended before:
          otherwise the answer would close the dialog that somebody opens next. */}
      {opened !== null && (opened === change || set.isPending) && !isViewer && (
        <FormDialog
          onClose={() => setOpened(null)}
          title={`${resumes ? 'Resume' : 'Suspend'} ${name}`}
          description={
            resumes
              ? 'Its keys work again immediately.'
              : 'Keys stop immediately; running requests are cut off and billed to that point. Members can still sign in and read. You can resume the organization.'
          }
          action={resumes ? 'Resume organization' : 'Suspend organization'}
          danger={!resumes}
          mutation={set}
          fields={['reason']}
          onSend={(text) => set.mutate(text('reason'))}
        >
          <ReasonField
            isOptional={resumes}
            hint="Operators read it here and in the audit log. The customer never sees it."
          />
        </FormDialog>
      )}
    </>
  );
}
