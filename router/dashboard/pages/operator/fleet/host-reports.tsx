import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { HostReportEntry } from '../../../../../shared/api/agents.ts';
import { hostReportQuery } from '../../../api/fleet.ts';
import { now } from '../../../clock.ts';
import { shownCount } from '../../../format/count.ts';
import { monthName } from '../../../format/money-words.ts';
import { sumUsd } from '../../../format/usd.ts';
import { Select } from '../../../parts/field.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Code, Money } from '../../../parts/shown.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { foremost, MoneyCell, numeric, Table, Td } from '../../../parts/table.tsx';
import { daysOf, monthsUntil, sortHosts } from './host-sums.ts';

const MONTHS = 12;

/** What each host served in a month, and what customers were charged for it. */
export function HostReports() {
  const [months] = useState(() => monthsUntil(now(), MONTHS));
  const [month, setMonth] = useState(months[0] ?? '');
  const { from, to } = daysOf(month);
  const report = useQuery(hostReportQuery(from, to));
  const id = useId();
  return (
    <Panel
      title="Host reports"
      description="What each host served, and what customers were charged for it. Months are in UTC."
      flush
      actions={
        <>
          <label htmlFor={id} className="sr-only">
            Month
          </label>
          <Select
            id={id}
            className="w-44"
            value={month}
            onChange={({ target }) => setMonth(target.value)}
          >
            {months.map((each) => (
              <option key={each} value={each}>
                {monthName(each)}
              </option>
            ))}
          </Select>
        </>
      }
    >
      <Loaded query={report}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="No requests in this month">Choose another month.</Empty>
          ) : (
            <Sums sums={sortHosts(entries)} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function Sums({ sums }: { sums: readonly HostReportEntry[] }) {
  return (
    <Table
      label="Host reports"
      columns={[
        'Host',
        'Model',
        numeric('Requests'),
        numeric('Errors'),
        numeric('Prompt tokens'),
        numeric('Cached'),
        numeric('Completion tokens'),
        foremost(numeric('Revenue')),
      ]}
    >
      {sums.map((sum) => (
        <tr key={`${sum.agent} ${sum.model}`}>
          <Td className="whitespace-nowrap">
            {sum.agent === null ? (
              <span className="text-muted">No host</span>
            ) : (
              <span className="font-medium">{sum.agent_name ?? <Code>{sum.agent}</Code>}</span>
            )}
          </Td>
          <Td className="whitespace-nowrap">
            <Code>{sum.model}</Code>
          </Td>
          <Td right>{shownCount(sum.requests)}</Td>
          <Td right>{shownCount(sum.errors)}</Td>
          <Td right>{shownCount(sum.prompt_tokens)}</Td>
          <Td right>{shownCount(sum.cached_tokens)}</Td>
          <Td right>{shownCount(sum.completion_tokens)}</Td>
          <MoneyCell amount={sum.revenue} />
        </tr>
      ))}
      <tr className="font-medium">
        <Td className="whitespace-nowrap">All hosts</Td>
        <Td />
        <Td right>{shownCount(sums.reduce((all, { requests }) => all + requests, 0))}</Td>
        <Td right>{shownCount(sums.reduce((all, { errors }) => all + errors, 0))}</Td>
        <Td right>{shownCount(sums.reduce((all, sum) => all + sum.prompt_tokens, 0))}</Td>
        <Td right>{shownCount(sums.reduce((all, sum) => all + sum.cached_tokens, 0))}</Td>
        <Td right>{shownCount(sums.reduce((all, sum) => all + sum.completion_tokens, 0))}</Td>
        <Td right>
          <Money amount={sumUsd(sums.map(({ revenue }) => revenue))} />
        </Td>
      </tr>
    </Table>
  );
}
