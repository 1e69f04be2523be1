/** What each host served in a month: one row for each host, which opens into its models. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { Fragment, useId, useState } from 'react';
import type { HostReportEntry } from '../../../../../shared/api/agents.ts';
import { hostReportQuery } from '../../../api/fleet.ts';
import { now } from '../../../clock.ts';
import { shownCount } from '../../../format/count.ts';
import { monthName } from '../../../format/money-words.ts';
import { cx } from '../../../parts/class-names.ts';
import { Select } from '../../../parts/form/field.tsx';
import { Panel } from '../../../parts/page.tsx';
import { PhoneFold } from '../../../parts/list/phone-fold.tsx';
import { toggled } from '../../../parts/list/selection.tsx';
import { Code } from '../../../parts/shown.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { foremost, MoneyCell, numeric, Table, Td } from '../../../parts/list/table.tsx';
import { Nothing } from '../nothing.tsx';
import { daysOf, type HostSum, monthsUntil, sumByHost, sumOf } from './host-sums.ts';

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
            <Nothing flush title="No requests in this month" />
          ) : (
            <PhoneFold what="the sums of the month">
              <Sums entries={entries} />
            </PhoneFold>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Sums({ entries }: { entries: readonly HostReportEntry[] }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  return (
    <Table
      label="Host reports"
      columns={[
        'Host',
        'Model',
        numeric('Requests'),
        numeric('Failed requests'),
        numeric('Prompt tokens'),
        numeric('Cached'),
        numeric('Completion tokens'),
        foremost(numeric('Revenue')),
      ]}
    >
      {sumByHost(entries).map((sum) => {
        const key = sum.agent ?? '';
        const isOpen = opened.has(key);
        const [only, ...others] = sum.models;
        return (
          <Fragment key={key}>
            <tr>
              <Td className="whitespace-nowrap">
                <HostName sum={sum} />
              </Td>
              <Td className="whitespace-nowrap">
                {others.length === 0 ? (
                  <Code>{only?.model}</Code>
                ) : (
                  <button
                    type="button"
                    aria-expanded={isOpen}
                    aria-label={`${shownCount(sum.models.length)} models of ${sum.agent_name ?? sum.agent ?? 'no host'}`}
                    onClick={() => setOpened(toggled(opened, key))}
                    className="inline-flex items-center gap-1 max-md:min-h-11 hover:underline"
                  >
                    {shownCount(sum.models.length)} models
                    <ChevronDown
                      aria-hidden
                      className={cx('size-3.5 text-muted', isOpen && 'rotate-180')}
                    />
                  </button>
                )}
              </Td>
              <Figures of={sum} />
            </tr>
            {isOpen &&
              sum.models.map((part) => (
                <tr key={part.model} className="bg-sunken/60 text-muted">
                  <Td className="whitespace-nowrap pl-9!">
                    <HostName sum={sum} />
                  </Td>
                  <Td className="whitespace-nowrap">
                    <Code>{part.model}</Code>
                  </Td>
                  <Figures of={part} />
                </tr>
              ))}
          </Fragment>
        );
      })}
      <tr className="font-medium">
        <Td className="whitespace-nowrap">All hosts</Td>
        <Td />
        <Figures of={sumOf(entries)} />
      </tr>
    </Table>
  );
}

function HostName({ sum: { agent, agent_name: name } }: { sum: HostSum }) {
  if (agent === null) return <span className="text-muted">No host</span>;
  return (
    <Link to="/operator/hosts/$agent" params={{ agent }} className="font-medium hover:underline">
      {name ?? <Code>{agent}</Code>}
    </Link>
  );
}

function Figures({ of }: { of: Omit<HostSum, 'models'> }) {
  return (
    <>
      <Td right>{shownCount(of.requests)}</Td>
      <Td right>{shownCount(of.errors)}</Td>
      <Td right>{shownCount(of.prompt_tokens)}</Td>
      <Td right>{shownCount(of.cached_tokens)}</Td>
      <Td right>{shownCount(of.completion_tokens)}</Td>
      <MoneyCell amount={of.revenue} />
    </>
  );
}
