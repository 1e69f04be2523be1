import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrganizationDeletion } from '../../../../shared/api/erasure.ts';
import type { Organization } from '../../../../shared/api/organizations.ts';
import { send, type Sent } from '../../api/client.ts';
import { creditQuery } from '../../api/organization.ts';
import { Button } from '../../parts/button.tsx';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault, Field, Input } from '../../parts/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { say } from '../../parts/said.tsx';
import { Money } from '../../parts/shown.tsx';
import { useDeparture } from '../members/departure.ts';
import { Section } from './section.tsx';

export function DeleteSection({ organization }: { organization: Organization }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <Section title="Delete" description="The end of the organization, for all of its members.">
      <Panel>
        <div className="grid justify-items-start gap-4 text-sm">
          <p className="text-muted">
            Keys stop working at once, and members lose access. This cannot be taken back.
          </p>
          <Button look="danger" onClick={() => setAsked(true)}>
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
    <Dialog open onOpenChange={onClose} title="Delete the organization, for good">
      <ul className="grid list-disc gap-1.5 pl-5 text-sm">
        <li>API keys and management tokens are refused at once, and running requests are cut.</li>
        <li>Members and invitations end, and the organization's name is erased.</li>
        <li>The ledger of payments and usage is kept; names in it are erased.</li>
        <li>What is owed has to be paid before, and no invoice may be open.</li>
        <li>
          A balance that is left is not paid out by this: ask the operator for a refund before.
          {credit.data && (
            <>
              {' '}
              It is <Money amount={credit.data.balance} rounding="down" /> now.
            </>
          )}
        </li>
      </ul>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          remove.mutate({ name: typed });
        }}
      >
        <Field
          label="Name of the organization"
          hint={
            <>
              Type <strong className="break-words text-ink">{name}</strong> to confirm.
            </>
          }
          error={remove.error}
          param="name"
        >
          {(described) => (
            <Input
              {...described}
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        <Fault error={remove.error} fields={['name']} />
        <footer className="flex justify-end gap-2">
          <Cancel />
          <Button look="danger" type="submit" busy={remove.isPending} disabled={typed !== name}>
            Delete organization
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
