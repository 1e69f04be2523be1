/** What a month has cost, by model. The total is what the ledger charged in the month. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { useState } from 'react';
import type { Statement as MonthStatement } from '../../../../shared/api/statements.ts';
import { statementPath, statementQuery } from '../../api/billing.ts';
import { pathOf } from '../../api/client.ts';
import { now } from '../../clock.ts';
import { shownCount } from '../../format/count.ts';
import { monthName } from '../../format/money-words.ts';
import { DownloadLink } from '../../parts/download-link.tsx';
import { Select } from '../../parts/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { ModelCell } from '../../parts/model-id.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { foremost, MoneyCell, numeric, Table, Td } from '../../parts/table.tsx';
import { useOrganization } from '../../session.tsx';
import { monthsSince } from './months.ts';

/** `created`: when the organization was created. */
export function Statement({ created }: { created: string }) {
  const organization = useOrganization();
  const months = monthsSince(created, now());
  const [newest = ''] = months;
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const month = months.find((one) => one === chosen) ?? newest;
  const query = useQuery({
    ...statementQuery(organization, month),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel
      title="Monthly statement"
      description="What each model cost in a calendar month (UTC)."
      flush
      actions={
        <>
          <div className="w-48">
            <Select
              aria-label="Month"
              value={month}
              onChange={(event) => setChosen(event.target.value)}
            >
              {months.map((one) => (
                <option key={one} value={one}>
                  {monthName(one)}
                </option>
              ))}
            </Select>
          </div>
          <DownloadLink
            href={pathOf(statementPath(organization, month), { format: 'csv' })}
            what="this statement"
          />
        </>
      }
    >
      <Loaded query={query}>{(statement) => <Lines statement={statement} />}</Loaded>
    </Panel>
  );
}

function Lines({ statement }: { statement: MonthStatement }) {
  const { models, other_months, total } = statement;
  const name = monthName(statement.month);
  if (models.length === 0 && total === '0' && other_months === '0') {
    return (
      <Empty icon={<FileText />} title={`No requests in ${name}`}>
        The cost of each model appears here.
      </Empty>
    );
  }
  return (
    <>
      <Table
        label={`Statement of ${name}`}
        columns={[
          'Model',
          numeric('Requests'),
          numeric('Prompt'),
          numeric('Cached'),
          numeric('Completion'),
          foremost(numeric('Cost')),
        ]}
      >
        {models.map((line) => (
          <tr key={line.model ?? ''}>
            {line.model === null ? <Td>Other models</Td> : <ModelCell id={line.model} />}
            <Counts of={line} />
            <MoneyCell exact amount={line.cost} />
          </tr>
        ))}
        {other_months !== '0' && (
          <tr>
            <Td>Difference from other months</Td>
            <Td />
            <Td />
            <Td />
            <Td />
            <MoneyCell exact amount={other_months} />
          </tr>
        )}
        <tr className="font-medium">
          <Td>Total</Td>
          <Counts of={statement} />
          <MoneyCell exact amount={total} />
        </tr>
      </Table>
      <p className="px-5 py-3 text-xs text-muted">
        {statement.is_over ? '' : 'The month is not over. '}
        The total is the usage in the ledger of this month. A request is listed in the month in
        which it arrived.
        {other_months !== '0' &&
          ' The difference comes from charges that were made or given back in another month than their request arrived in.'}
      </p>
    </>
  );
}

type Counted = Pick<
  MonthStatement,
  'requests' | 'prompt_tokens' | 'cached_tokens' | 'completion_tokens'
>;

function Counts({ of }: { of: Counted }) {
  return (
    <>
      <Td right>{shownCount(of.requests)}</Td>
      <Td right>{shownCount(of.prompt_tokens)}</Td>
      <Td right>{shownCount(of.cached_tokens)}</Td>
      <Td right>{shownCount(of.completion_tokens)}</Td>
    </>
  );
}
