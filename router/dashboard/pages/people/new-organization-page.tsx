import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { NewOrganization, Organization } from '../../../../shared/api/organizations.ts';
import type { Sent } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { useSendOnce } from '../../api/once.ts';
import { Button } from '../../parts/button.tsx';
import { Fault, Field, Input } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { useMe } from '../../session.tsx';
import { RegionChoice } from './region-choice.tsx';

export default function NewOrganizationPage() {
  const me = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const sendOnce = useSendOnce();
  const create = useMutation({
    mutationFn: (body: Sent<typeof NewOrganization>) =>
      sendOnce<Organization>('/organizations', body),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
      await navigate({ to: '/$organization', params: { organization: id } });
    },
  });
  const { error, isPending, mutate } = create;
  return (
    <Page title="New organization" description={descriptionFor(me)}>
      <Panel className="max-w-2xl">
        <Form
          className="gap-5"
          onSend={(text) => mutate({ name: text('name'), region: text('region') })}
        >
          <Field label="Name" error={error} param="name">
            {(described) => (
              <Input
                {...described}
                name="name"
                autoComplete="organization"
                maxLength={100}
                required
              />
            )}
          </Field>
          <RegionChoice />
          {!me.operator && (
            <p className="text-sm text-muted">
              The welcome credit is for the organization you signed up with: this one starts at
              $0.00, and serves requests once credit is bought.
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
    return 'As an operator you open it for a customer: with its welcome credit, if there is one, and with nobody in it yet.';
  }
  if (organizations.length > 0) {
    return 'Keys, usage, credit and members of one organization are apart from those of every other.';
  }
  return 'You belong to no organization. Open one of your own, or ask to be invited to one.';
}
