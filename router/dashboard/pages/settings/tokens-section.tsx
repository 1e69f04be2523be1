import { useMutation, useQuery } from '@tanstack/react-query';
import { KeySquare, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Token } from '../../../../shared/api/tokens.ts';
import { roleName } from '../../../../shared/role-names.ts';
import { send } from '../../api/client.ts';
import { ofOrganization } from '../../api/organization.ts';
import { tokensQuery } from '../../api/tokens.ts';
import { shownCount } from '../../format/count.ts';
import { Button } from '../../parts/form/button.tsx';
import { Day } from '../../parts/day.tsx';
import { Confirm } from '../../parts/form/dialog.tsx';
import { Panel } from '../../parts/page.tsx';
import { Badge, When } from '../../parts/shown.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { ACTIONS, foremost, Table, Td } from '../../parts/list/table.tsx';
import { useMay, useOrganization } from '../../session.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { Section } from '../../parts/section.tsx';

/** The management tokens, with which scripts manage the organization. */
export function TokensSection() {
  const query = useQuery(tokensQuery(useOrganization()));
  const [isCreating, setCreating] = useState(false);
  const may = useMay('settings');
  const create = may && (
    <Button size="small" onClick={() => setCreating(true)}>
      <Plus /> Create token
    </Button>
  );
  return (
    <Section
      title="Management tokens"
      description="For scripts that manage the organization through the API. To call models, use an API key."
    >
      <Panel flush>
        <Loaded query={query}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon={<KeySquare />} title="No management tokens" action={create}>
                Create a token for each script. A token has one role, and you can revoke it here.
              </Empty>
            ) : (
              <>
                {create && (
                  <div className="flex items-center justify-between gap-4 px-5 py-3">
                    <p className="text-sm text-muted">{tokensCounted(data.length)}</p>
                    {create}
                  </div>
                )}
                <TokensTable tokens={data} />
              </>
            )
          }
        </Loaded>
      </Panel>
      {isCreating && <NewTokenDialog onClose={() => setCreating(false)} />}
    </Section>
  );
}

function tokensCounted(count: number): string {
  return `${shownCount(count)} ${count === 1 ? 'token' : 'tokens'}`;
}

function TokensTable({ tokens }: { tokens: readonly Token[] }) {
  return (
    <Table
      label="Management tokens"
      columns={['Name', foremost('Role'), 'Last used', 'Expires', ACTIONS]}
    >
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} />
      ))}
    </Table>
  );
}

function TokenRow({ token }: { token: Token }) {
  const [isAsked, setAsked] = useState(false);
  const may = useMay('settings');
  const { name, role, state, created, created_by: by, expires, last_used: used } = token;
  return (
    <tr>
      <Td>
        <span className="block font-medium">{name}</span>
        <span className="block text-xs text-muted">
          <Day at={created} />
          {by && ` by ${by.name ?? 'a deleted user'}`}
        </span>
      </Td>
      <Td className="whitespace-nowrap">{roleName(role)}</Td>
      <Td className="text-muted">
        <When at={used} relative />
      </Td>
      <Td className="text-muted">
        {state === 'expired' ? <Badge tone="warn">Expired</Badge> : <Day at={expires} />}
      </Td>
      <Td right>
        <Button
          look="danger"
          size="small"
          disabled={!may}
          onClick={() => setAsked(true)}
          aria-label={`Revoke ${name}`}
        >
          Revoke
        </Button>
        {isAsked && <RevokeDialog token={token} onClose={() => setAsked(false)} />}
      </Td>
    </tr>
  );
}

function RevokeDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const organization = useOrganization();
  const revoke = useMutation({
    mutationFn: () => send('DELETE', `/organizations/${organization}/tokens/${token.id}`),
    meta: { refetch: [ofOrganization(organization, 'tokens')] },
  });
  return (
    <Confirm
      onClose={onClose}
      title={`Revoke ${token.name}`}
      action="Revoke token"
      mutation={revoke}
    >
      <p>Requests with this token are refused from now on. This cannot be undone.</p>
    </Confirm>
  );
}
