/** The buyer's name, address and tax ID, as receipts and invoices will show them. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  BillingDetails as Details,
  BillingDetailsChange,
} from '../../../../shared/api/billing-details.ts';
import { billingDetailsQuery } from '../../api/billing.ts';
import { type Sent, send } from '../../api/client.ts';
import { ofOrganization } from '../../api/organization.ts';
import { Button } from '../../parts/form/button.tsx';
import { TextAreaField, TextField } from '../../parts/form/field.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { Fact, Facts, Panel } from '../../parts/page.tsx';
import { say } from '../../parts/said.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useMay, useOrganization } from '../../session.tsx';

export function BillingDetails({ name }: { name: string }) {
  const may = useMay('billing');
  const query = useQuery(billingDetailsQuery(useOrganization()));
  const [editing, setEditing] = useState(false);
  return (
    <Panel
      title="Billing details"
      description="Shown on new receipts and invoices."
      actions={
        may &&
        query.data && (
          <Button size="small" onClick={() => setEditing(true)}>
            Edit<span className="sr-only"> billing details</span>
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(details) => (
          <>
            <Facts>
              <Fact name="Name">{details.name || name}</Fact>
              <Fact name="Address">
                {details.address === '' ? (
                  <span className="text-muted">Not set</span>
                ) : (
                  <span className="whitespace-pre-line">{details.address}</span>
                )}
              </Fact>
              <Fact name="Tax ID">
                {details.tax_id || <span className="text-muted">Not set</span>}
              </Fact>
            </Facts>
            {editing && (
              <EditDialog details={details} name={name} onClose={() => setEditing(false)} />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

type EditProps = Readonly<{ details: Details; name: string; onClose: () => void }>;

function EditDialog({ details, name, onClose }: EditProps) {
  const organization = useOrganization();
  const saving = useMutation({
    mutationFn: (change: Sent<typeof BillingDetailsChange>) =>
      send<Details>('PUT', `/organizations/${organization}/billing-details`, change),
    meta: { refetch: [ofOrganization(organization, 'billing-details')] },
    onSuccess: () => {
      say('Billing details saved');
      onClose();
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Billing details"
      description="Existing receipts and invoices don't change."
      action="Save"
      mutation={saving}
      fields={['name', 'address', 'tax_id']}
      onSend={(text) =>
        saving.mutate({ name: text('name'), address: text('address'), tax_id: text('tax_id') })
      }
    >
      <TextField
        label="Name"
        hint="Leave blank to use the organization's name."
        param="name"
        placeholder={name}
        autoComplete="organization"
        defaultValue={details.name}
      />
      <TextAreaField
        label="Address"
        param="address"
        rows={4}
        autoComplete="street-address"
        defaultValue={details.address}
      />
      <TextField label="Tax ID" param="tax_id" defaultValue={details.tax_id} />
    </FormDialog>
  );
}
