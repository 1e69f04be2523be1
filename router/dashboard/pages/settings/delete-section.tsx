import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrganizationDeletion } from '../../../../shared/api/erasure.ts';
import type { Organization } from '../../../../shared/api/organizations.ts';
import { send, type Sent } from '../../api/client.ts';
import { creditQuery } from '../../api/organization.ts';
import { Button } from '../../parts/form/button.tsx';
import { TextField } from '../../parts/form/field.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { Panel } from '../../parts/page.tsx';
import { say } from '../../parts/said.tsx';
import { Money } from '../../parts/shown.tsx';
import { useMay } from '../../session.tsx';
import { useDeparture } from '../members/departure.ts';
import { Section } from '../../parts/section.tsx';

export function DeleteSection({ organization }: { organization: Organization }) {
  const [isAsked, setAsked] = useState(false);
  const may = useMay('settings');
  return (
    <Section title="Delete" description="Permanently delete this organization.">
      <Panel className="border-bad/40">
        <div className="grid justify-items-start gap-4 text-sm">
          <p className="text-muted">
            API keys stop working immediately, and members lose access. This cannot be undone.
          </p>
          <Button look="danger" disabled={!may} onClick={() => setAsked(true)}>
            Delete organization
          </Button>
        </div>
      </Panel>
      {isAsked && <DeleteDialog organization={organization} onClose={() => setAsked(false)} />}
    </Section>
  );
}

type DeleteProps = Readonly<{ organization: Organization; onClose: () => void }>;

function DeleteDialog({ organization: { id, name }, onClose }: DeleteProps) {
  const [typed, setTyped] = useState('');
  const credit = useQuery(creditQuery(id));
  const depart = useDeparture();
  const remove = useMutation({
    mutationFn: (body: Sent<typeof OrganizationDeletion>) =>
      send('DELETE', `/organizations/${id}`, body),
    onSuccess: async () => {
      await depart();
      say(`${name} was deleted`);
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Delete organization"
      action="Delete organization"
      danger
      disabled={typed !== name}
      mutation={remove}
      fields={['name']}
      onSend={() => remove.mutate({ name: typed })}
    >
      <ul className="grid list-disc gap-1.5 pl-5 text-sm">
        <li>
          API keys and management tokens stop working immediately, and running requests are cut off.
        </li>
        <li>Members and invitations are removed, and the organization's name is erased.</li>
        <li>Records of payments and usage are kept, but names in them are erased.</li>
        <li>First pay any amount that the organization owes. No invoice may be open.</li>
        <li>
          The remaining balance is not paid out. Ask support for a refund first.
          {credit.data && (
            <>
              {' '}
              The balance is <Money amount={credit.data.balance} balance /> now.
            </>
          )}
        </li>
      </ul>
      <TextField
        label="Organization name"
        hint={
          <>
            Type <strong className="break-words text-ink">{name}</strong> to confirm.
          </>
        }
        param="name"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
      />
    </FormDialog>
  );
}
