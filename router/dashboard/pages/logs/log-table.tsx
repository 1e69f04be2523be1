import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { shownCount, shownMs } from '../../format/count.ts';
import { Badge, Money, When } from '../../parts/shown.tsx';
import { numeric, Table, Td } from '../../parts/table.tsx';
import { useOrganization } from '../../session.tsx';
import { outcomeOf } from '../usage/outcome.ts';
import { SpeedCell } from '../usage/speed-cell.tsx';
import type { LogRow } from './merge.ts';

export function LogTable({ rows }: { rows: readonly LogRow[] }) {
  return (
    <Table
      label="Requests"
      columns={[
        'Time',
        'Outcome',
        'Model',
        'Key',
        'Details',
        numeric('Duration'),
        numeric('Tokens/s'),
      ]}
    >
      {rows.map((row) => (
        <Row key={row.entry.request_id} row={row} />
      ))}
    </Table>
  );
}

function Row({ row }: { row: LogRow }) {
  const organization = useOrganization();
  const { entry } = row;
  const { tone, text } = row.kind === 'refused' ? refusedAs(row.entry) : outcomeOf(row.entry);
  return (
    <tr className="hover:bg-hover">
      <Td>
        <Link
          to="/$organization/usage/$request"
          params={{ organization, request: entry.request_id }}
          className="font-medium hover:underline"
        >
          <When at={entry.created} />
          <span className="sr-only">, request {entry.request_id}</span>
        </Link>
      </Td>
      <Td>
        <Badge tone={tone}>{text}</Badge>
      </Td>
      <Td className="max-w-56 truncate" title={entry.model ?? undefined}>
        {entry.model ?? <span className="text-muted">–</span>}
      </Td>
      <Td className="max-w-32 truncate" title={entry.key_id}>
        {entry.key_name ?? entry.key_id}
      </Td>
      <Td className="max-w-96 truncate text-muted" {...titleOf(row)}>
        {detailsOf(row)}
      </Td>
      <Td right>{row.kind === 'refused' ? '–' : shownMs(row.entry.duration_ms)}</Td>
      {row.kind === 'refused' ? <Td right>–</Td> : <SpeedCell of={row.entry} />}
    </tr>
  );
}

function refusedAs({ status, code }: Readonly<{ status: number; code: string }>) {
  return { tone: 'bad', text: `${status} ${code}` } as const;
}

function titleOf(row: LogRow): { title?: string } {
  return row.kind === 'refused' ? { title: row.entry.message } : {};
}

function detailsOf(row: LogRow): ReactNode {
  if (row.kind === 'refused') return row.entry.message;
  const { prompt_tokens, completion_tokens, cost } = row.entry;
  return (
    <>
      {shownCount(prompt_tokens)} prompt, {shownCount(completion_tokens)} completion,{' '}
      <Money amount={cost} />
    </>
  );
}
