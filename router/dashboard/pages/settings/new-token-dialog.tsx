import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { Role } from '../../../../shared/api/roles.ts';
import type { CreatedToken, NewToken } from '../../../../shared/api/tokens.ts';
import { DAY_MS } from '../../../../shared/durations.ts';
import { roleInSentence } from '../../../../shared/role-names.ts';
import { send, type Sent } from '../../api/client.ts';
import { ofOrganization } from '../../api/organization.ts';
import { now } from '../../clock.ts';
import { Button } from '../../parts/form/button.tsx';
import { CodeBlock } from '../../parts/code/code-block.tsx';
import { Cancel, Dialog, DialogFooter, Done } from '../../parts/form/dialog.tsx';
import { Fault, SelectField, TextField } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useOrganization } from '../../session.tsx';
import { RoleChoice } from '../members/role-choice.tsx';

type Created = z.infer<typeof CreatedToken>;

const LIFETIMES = [30, 90, 365] as const;

export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<Created | null>(null);
  return (
    <Dialog
      onClose={onClose}
      secrets={created && [created.token]}
      width={created ? 'wide' : 'usual'}
      title={created ? 'Token created' : 'Create management token'}
      {...(created ? { description: "Copy the token now. You won't see it again." } : {})}
    >
      {created ? (
        <ShownToken created={created} onDone={onClose} />
      ) : (
        <NewTokenForm onCreated={setCreated} />
      )}
    </Dialog>
  );
}

function NewTokenForm({ onCreated }: { onCreated: (created: Created) => void }) {
  const organization = useOrganization();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [days, setDays] = useState<number | null>(90);
  const create = useMutation({
    mutationFn: (body: Sent<typeof NewToken>) =>
      send<Created>('POST', `/organizations/${organization}/tokens`, body),
    onSuccess: (created) => {
      onCreated(created);
      return queries.invalidateQueries({ queryKey: ofOrganization(organization, 'tokens') });
    },
  });
  const expires = () => (days === null ? null : new Date(now() + days * DAY_MS).toISOString());
  return (
    <Form error={create.error} onSend={() => create.mutate({ name, role, expires: expires() })}>
      <TextField
        label="Name"
        param="name"
        autoComplete="off"
        maxLength={100}
        placeholder="Terraform"
        value={name}
        onChange={setName}
      />
      <RoleChoice value={role} onChange={setRole} />
      <SelectField
        label="Expires"
        param="expires"
        value={days ?? 'never'}
        onChange={(value) => setDays(value === 'never' ? null : Number(value))}
      >
        {LIFETIMES.map((count) => (
          <option key={count} value={count}>
            In {count} days
          </option>
        ))}
        <option value="never">Never</option>
      </SelectField>
      <Fault error={create.error} fields={['name', 'expires']} />
      <DialogFooter>
        <Cancel />
        <Button look="primary" type="submit" busy={create.isPending} disabled={name.trim() === ''}>
          Create token
        </Button>
      </DialogFooter>
    </Form>
  );
}

function ShownToken({ created, onDone }: { created: Created; onDone: () => void }) {
  const organization = useOrganization();
  const { origin } = window.location;
  const call = `curl ${origin}/api/v1/organizations/${organization} \\\n  -H "Authorization: Bearer $TOKEN"`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 text-sm">
      <CodeBlock code={created.token} what="token" />
      <p>
        Anyone with this token can act for the organization as {roleInSentence(created.role)}. Store
        it securely, and send it with each request:
      </p>
      <CodeBlock code={call} what="example" title="curl" language="bash" />
      <DialogFooter>
        <Done onClose={onDone} />
      </DialogFooter>
    </div>
  );
}
