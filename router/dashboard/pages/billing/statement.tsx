/**
 * What a month has cost, by model, and how the balance changed. The total is what the ledger charged
 * in the month.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileText, Printer } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { Statement as MonthStatement } from '../../../../shared/api/statements.ts';
import { statementPath, statementQuery } from '../../api/billing.ts';
import { pathOf } from '../../api/client.ts';
import { now } from '../../clock.ts';
import { statementDecimals } from '../../../../shared/documents/statement-decimals.ts';
import { formatUsd } from '../../../../shared/money.ts';
import { shownCount } from '../../format/count.ts';
import { picoOf } from '../../format/usd.ts';
import { monthName } from '../../format/money-words.ts';
import { Button } from '../../parts/form/button.tsx';
import { DownloadLink } from '../../parts/download-link.tsx';
import { Select } from '../../parts/form/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { ModelCell } from '../../parts/model-id.tsx';
import { Money } from '../../parts/shown.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { foremost, MoneyCell, numeric, Table, Td } from '../../parts/list/table.tsx';
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
          <p className="hidden text-sm font-medium print:block">{monthName(month)}</p>
          <div className="w-48 max-sm:w-full print:hidden">
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
          <Button asChild size="small" className="print:hidden">
            <a
              href={pathOf(statementPath(organization, month), { format: 'html' })}
              target="_blank"
              rel="noreferrer"
            >
              <Printer />
              Print or PDF
            </a>
          </Button>
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
  const { models, other_months, total, payments, credits, refunds } = statement;
  const name = monthName(statement.month);
  const isEmpty = [other_months, payments, credits, refunds].every((amount) => amount === '0');
  if (models.length === 0 && isEmpty) {
    return (
      <Empty icon={<FileText />} title={`No requests in ${name}`}>
        The cost of each model appears here.
      </Empty>
    );
  }
  const decimals = statementDecimals(statement);
  const shown = (amount: string) => ({ amount, exact: true, decimals });
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
            <MoneyCell {...shown(line.cost)} />
          </tr>
        ))}
        {other_months !== '0' && (
          <tr>
            <Td>Difference from other months</Td>
            <Td />
            <Td />
            <Td />
            <Td />
            <MoneyCell {...shown(other_months)} />
          </tr>
        )}
        <tr className="font-medium">
          <Td>Total</Td>
          <Counts of={statement} />
          <MoneyCell {...shown(total)} />
        </tr>
      </Table>
      <BalanceChange of={statement} decimals={decimals} />
      <p className="border-t px-5 py-3 text-xs text-muted empty:hidden">
        {!statement.is_over && 'This month is in progress. '}
        {other_months !== '0' &&
          'A request is listed in the month in which it arrived. The difference is of charges that were made or given back in another month.'}
      </p>
    </>
  );
}

type BalanceChangeProps = Readonly<{ of: MonthStatement; decimals: number }>;

/** From the balance at the start of the month to that at its end. */
function BalanceChange({ of, decimals }: BalanceChangeProps) {
  const changes = [
    ['Payments', of.payments],
    ['Other credit', of.credits],
    ['Refunds and disputes', of.refunds],
    ['Usage', formatUsd(-picoOf(of.total))],
  ] as const;
  const shown = changes.filter(([, amount]) => amount !== '0');
  const row = (name: string, amount: string) => (
    <Fragment key={name}>
      <dt>{name}</dt>
      <dd className="text-right">
        <Money exact {...{ amount, decimals }} />
      </dd>
    </Fragment>
  );
  return (
    <div className="border-t px-5 py-4">
      {/* At the right, so that a name is near its amount. */}
      <dl className="ml-auto grid max-w-sm grid-cols-[1fr_auto] gap-x-6 gap-y-1.5 text-sm">
        {row('Balance at the start of the month', of.opening)}
        {shown.map(([name, amount]) => row(name, amount))}
        <div className="col-span-2 grid grid-cols-subgrid border-t pt-1.5 font-medium">
          {row(of.is_over ? 'Balance at the end of the month' : 'Balance now', of.closing)}
        </div>
      </dl>
    </div>
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
