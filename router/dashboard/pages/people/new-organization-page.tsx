import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { NewOrganization, Organization } from '../../../../shared/api/organizations.ts';
import type { Sent } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { useSendOnce } from '../../api/once.ts';
import { Button } from '../../parts/button.tsx';
import { Fault, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { useMe } from '../../session.tsx';
import { RegionChoice } from './region-choice.tsx';

export default function NewOrganizationPage() {
  const me = useMe();
  const navigate = useNavigate();
  const sendOnce = useSendOnce();
  const create = useMutation({
    mutationFn: (body: Sent<typeof NewOrganization>) =>
      sendOnce<Organization>('/organizations', body),
    meta: { refetch: [meQuery.queryKey] },
    onSuccess: ({ id }) => navigate({ to: '/$organization', params: { organization: id } }),
  });
  const { error, isPending, mutate } = create;
  return (
    <Page title="New organization" description={descriptionFor(me)}>
      <Panel className="max-w-2xl">
        <Form
          error={error}
          className="grid gap-5"
          onSend={(text) => mutate({ name: text('name'), region: text('region') })}
        >
          <TextField
            label="Name"
            param="name"
            autoComplete="organization"
            maxLength={100}
            required
          />
          <RegionChoice />
          {!me.operator && (
            <p className="text-sm text-muted">
              The welcome credit is only for the organization that you signed up with. This
              organization starts at $0.00. Add credit before you send requests.
            </p>
          )}
          <Fault error={error} fields={['name']} />
          <Button type="submit" look="primary" busy={isPending} className="justify-self-start">
            Create organization
          </Button>
        </Form>
      </Panel>
    </Page>
  );
}

function descriptionFor({
  operator,
  organizations,
}: Readonly<{ operator: boolean; organizations: readonly unknown[] }>): string {
  if (operator) {
    return 'As an operator, you create the organization for a customer. It gets the welcome credit, if there is any, and has no members yet.';
  }
  if (organizations.length > 0) {
    return 'Each organization has its own keys, usage, credit and members.';
  }
  return 'You are not a member of any organization. Create one, or ask for an invitation to one.';
}
