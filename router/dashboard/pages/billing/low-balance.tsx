/** The balance below which the people who may manage billing get an email. */
import { useMutation } from '@tanstack/react-query';
import type { Organization, OrganizationSettings } from '../../../../shared/api/organizations.ts';
import { type Sent, send } from '../../api/client.ts';
import { ofOrganization } from '../../api/organization.ts';
import { enteredUsdOrNull } from '../../format/entered-usd.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { say } from '../../parts/said.tsx';
import { Badge, Money } from '../../parts/shown.tsx';
import { RoleNote, useMay, useOrganization, whoMay } from '../../session.tsx';
import { AmountField } from './amount-field.tsx';

export function LowBalance({ threshold }: { threshold: string | null }) {
  const may = useMay('settings');
  return (
    <Panel
      title="Low-balance notice"
      description={`Emails ${whoMay('billing')}.`}
      actions={threshold === null ? <Badge>Off</Badge> : <Badge tone="good">On</Badge>}
    >
      {may ? (
        <ThresholdForm threshold={threshold} />
      ) : (
        <div className="grid gap-3">
          <p className="text-sm">
            {threshold === null ? (
              'No email is sent.'
            ) : (
              <>
                An email is sent when the balance falls below <Money amount={threshold} />.
              </>
            )}
          </p>
          <RoleNote permission="settings">You cannot change this.</RoleNote>
        </div>
      )}
    </Panel>
  );
}

function ThresholdForm({ threshold }: { threshold: string | null }) {
  const organization = useOrganization();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (settings: Sent<typeof OrganizationSettings>) =>
      send<Organization>('PATCH', `/organizations/${organization}`, settings),
    meta: { refetch: [ofOrganization(organization, 'itself')] },
    onSuccess: () => say('Low-balance notice saved'),
  });
  const save = (text: (name: string) => string) => {
    mutate({ low_balance_threshold: enteredUsdOrNull(text('low_balance_threshold')) });
  };
  return (
    <Form error={error} onSend={save} className="grid justify-items-start gap-3">
      <div className="w-full max-w-72">
        <AmountField
          label="When the balance falls below"
          hint="Leave blank to turn the notice off."
          param="low_balance_threshold"
          defaultValue={threshold ?? ''}
        />
      </div>
      <Fault error={error} fields={['low_balance_threshold']} />
      <Button type="submit" busy={isPending}>
        Save notice
      </Button>
    </Form>
  );
}
