import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { NewOrganization, Organization } from '../../../../shared/api/organizations.ts';
import type { Sent } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { useSendOnce } from '../../api/once.ts';
import { PAGES } from '../../pages.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Button } from '../../parts/form/button.tsx';
import { Fault, TextField } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { createsForCustomers, useMe } from '../../session.tsx';
import { RegionChoice } from './region-choice.tsx';

export default function NewOrganizationPage() {
  const me = useMe();
  const makesForCustomer = createsForCustomers(me);
  const navigate = useNavigate();
  const sendOnce = useSendOnce();
  const create = useMutation({
    mutationFn: (body: Sent<typeof NewOrganization>) =>
      sendOnce<Organization>('/organizations', body),
    meta: { refetch: [meQuery.queryKey, ['platform', 'organizations']] },
    onSuccess: ({ id: organization }) =>
      navigate({
        to: makesForCustomer ? '/operator/organizations/$organization' : '/$organization',
        params: { organization },
      }),
  });
  const { error, isPending, mutate } = create;
  return (
    <Page
      title="New organization"
      description={descriptionFor(makesForCustomer, me)}
      back={makesForCustomer && <BackLink to={PAGES.organizations.path}>Organizations</BackLink>}
    >
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
          {!makesForCustomer && (
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

function descriptionFor(
  makesForCustomer: boolean,
  { operator, organizations }: Readonly<{ operator: boolean; organizations: readonly unknown[] }>,
): string {
  if (makesForCustomer) {
    return 'As an operator, you create the organization for a customer. It gets the welcome credit, if there is any, and has no members yet.';
  }
  if (operator) {
    return 'You create an organization of your own, as any person may, and become its administrator. As a viewer you cannot create one for a customer.';
  }
  if (organizations.length > 0) {
    return 'Each organization has its own keys, usage, credit and members.';
  }
  return 'You are not a member of any organization. Create one, or ask for an invitation to one.';
}
