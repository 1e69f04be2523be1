import { shownCount, shownMs } from '../../format/count.ts';
import { foremost, MoneyCell, numeric, Table, Td } from '../../parts/table.tsx';
import { causeOf } from '../usage/outcome.ts';
import { OutcomeBadge } from '../usage/outcome-badge.tsx';
import { senderOf } from '../usage/sender.ts';
import type { LogRow } from './merge.ts';
import { RequestRow } from './request-row.tsx';

export function LogTable({ rows }: { rows: readonly LogRow[] }) {
  return (
    <Table
      label="Requests"
      columns={[
        'Ended',
        foremost('Outcome'),
        'Model',
        'Key',
        'Details',
        numeric('Cost'),
        numeric('Duration'),
      ]}
    >
      {rows.map((row) => (
        <Row key={row.entry.request_id} row={row} />
      ))}
    </Table>
  );
}

function Row({ row }: { row: LogRow }) {
  const { entry } = row;
  return (
    <RequestRow request={entry.request_id} at={new Date(row.at).toISOString()}>
      <Td>
        <OutcomeBadge
          of={
            row.kind === 'refused'
              ? { status: row.entry.status, finish_reason: null, error: row.entry.code }
              : row.entry
          }
        />
      </Td>
      <Td className="max-w-44 truncate 2xl:max-w-64" title={entry.model ?? undefined}>
        {entry.model ?? <span className="text-muted">–</span>}
      </Td>
      <Td className="max-w-28 truncate" title={entry.key_id}>
        {senderOf(entry)}
      </Td>
      {/* It has the width that the other columns leave. */}
      <Td className="w-full max-w-0 min-w-56 text-muted" title={faultOf(row) ?? undefined}>
        <span className="line-clamp-2 wrap-anywhere">{detailsOf(row)}</span>
      </Td>
      {row.kind === 'refused' ? <Td right>–</Td> : <MoneyCell amount={row.entry.cost} />}
      <Td right className="whitespace-nowrap">
        {row.kind === 'refused' ? '–' : shownMs(row.entry.duration_ms)}
      </Td>
    </RequestRow>
  );
}

/** Why the request was refused or failed. Null for one that was answered. */
function faultOf(row: LogRow): string | null {
  return row.kind === 'refused' ? row.entry.message : causeOf(row.entry);
}

function detailsOf(row: LogRow): string | null {
  const fault = faultOf(row);
  if (row.kind === 'refused' || fault !== null) return fault;
  const { prompt_tokens, completion_tokens } = row.entry;
  return `${shownCount(prompt_tokens)} prompt, ${shownCount(completion_tokens)} completion`;
}
