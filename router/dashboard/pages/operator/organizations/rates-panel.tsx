import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Model } from '../../../../../shared/api/models.ts';
import { send } from '../../../api/client.ts';
import { modelsQuery, ofOrganization } from '../../../api/organization.ts';
import { perMillion } from '../../../format/usd.ts';
import { Confirm } from '../../../parts/form/dialog.tsx';
import { ActionsMenu, MenuItem } from '../../../parts/menu.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Badge, Code, Money } from '../../../parts/shown.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ACTIONS, numeric, Table, Td } from '../../../parts/list/table.tsx';
import { RateDialog } from './rate-dialog.tsx';

type Doing = Readonly<{ model: Model; what: 'set' | 'remove' }>;

/**
 * The catalog with the prices that this organization pays, and the list price below each agreed
 * price.
 */
export function RatesPanel({ organization }: { organization: string }) {
  const models = useQuery(modelsQuery(organization));
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  return (
    <Panel title="Rates" description="USD per million tokens." flush>
      <Loaded query={models}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="The catalog has no models" />
          ) : (
            <RatesTable models={data} onDo={setDoing} />
          )
        }
      </Loaded>
      {doing?.what === 'set' && (
        <RateDialog organization={organization} model={doing.model} onClose={close} />
      )}
      {doing?.what === 'remove' && (
        <RemoveRate organization={organization} model={doing.model} onClose={close} />
      )}
    </Panel>
  );
}

type RatesTableProps = Readonly<{ models: readonly Model[]; onDo: (doing: Doing) => void }>;

function RatesTable({ models, onDo }: RatesTableProps) {
  return (
    <Table
      label="Rates"
      columns={[
        'Model',
        'Price',
        numeric('Prompt'),
        numeric('Cached prompt'),
        numeric('Completion'),
        ACTIONS,
      ]}
    >
      {models.map((model) => (
        <tr key={model.id}>
          <Td className="whitespace-nowrap">
            <span className="block font-medium">{model.name}</span>
            <Code>{model.id}</Code>
          </Td>
          <Td>
            {model.agreed ? (
              <Badge tone="accent">Agreed</Badge>
            ) : (
              <span className="text-muted">List</span>
            )}
          </Td>
          <Price model={model} of="prompt" />
          <Price model={model} of="input_cache_read" />
          <Price model={model} of="completion" />
          <Td right>
            <ForAdministrators>
              <ActionsMenu of={`the rate of ${model.id}`}>
                <MenuItem onSelect={() => onDo({ model, what: 'set' })}>Set rate</MenuItem>
                <MenuItem
                  danger
                  disabled={!model.agreed}
                  onSelect={() => onDo({ model, what: 'remove' })}
                >
                  Remove rate
                </MenuItem>
              </ActionsMenu>
            </ForAdministrators>
          </Td>
        </tr>
      ))}
    </Table>
  );
}

function Price({ model, of }: { model: Model; of: keyof Model['billed'] }) {
  return (
    <Td right className="whitespace-nowrap">
      <Money amount={perMillion(model.billed[of])} exact />
      {model.agreed && model.billed[of] !== model.pricing[of] && (
        <span className="block text-xs text-muted">
          list <Money amount={perMillion(model.pricing[of])} exact />
        </span>
      )}
    </Td>
  );
}

type RemoveProps = Readonly<{ organization: string; model: Model; onClose: () => void }>;

function RemoveRate({ organization, model, onClose }: RemoveProps) {
  const remove = useMutation({
    mutationFn: () => send('DELETE', `/organizations/${organization}/rates/${model.id}`),
    meta: { refetch: [ofOrganization(organization)] },
    onSuccess: onClose,
  });
  return (
    <Confirm
      onClose={onClose}
      title={`Remove rate for ${model.name}`}
      action="Remove rate"
      mutation={remove}
    >
      <p>New requests are charged at the list price. Earlier charges do not change.</p>
    </Confirm>
  );
}
