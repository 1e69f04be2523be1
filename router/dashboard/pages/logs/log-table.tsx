import { shownCount, shownMs } from '../../format/count.ts';
import { ModelCell } from '../../parts/model-id.tsx';
import { foremost, MoneyCell, numeric, Table, Td } from '../../parts/list/table.tsx';
import { useZone } from '../../zone.ts';
import { OutcomeBadge } from '../usage/outcome-badge.tsx';
import { senderOf } from '../usage/sender.ts';
import { endedAs } from './failure-groups.ts';
import { faultOf } from './fault.ts';
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
  const fault = faultOf(row, useZone());
  return (
    <RequestRow request={entry.request_id} at={new Date(row.at).toISOString()}>
      <Td>
        <OutcomeBadge of={endedAs(row)} />
      </Td>
      {entry.model === null ? (
        <Td className="whitespace-nowrap text-muted">Not read</Td>
      ) : (
        <ModelCell id={entry.model} />
      )}
      <Td className="max-w-28 truncate" title={entry.key_id}>
        {senderOf(entry)}
      </Td>
      {/* It has the width that the other columns leave. */}
      <Td className="w-full max-w-0 min-w-40 text-muted" title={fault ?? undefined}>
        <span className="line-clamp-3 wrap-anywhere max-md:line-clamp-none">
          {fault ?? tokensIn(row)}
        </span>
      </Td>
      {row.kind === 'refused' ? <Td right>–</Td> : <MoneyCell amount={row.entry.cost} />}
      <Td right className="whitespace-nowrap">
        {row.kind === 'refused' ? '–' : shownMs(row.entry.duration_ms)}
      </Td>
    </RequestRow>
  );
}

function tokensIn({ kind, entry }: LogRow): string | null {
  if (kind === 'refused') return null;
  const { prompt_tokens, completion_tokens } = entry;
  return `${shownCount(prompt_tokens)} prompt, ${shownCount(completion_tokens)} completion`;
}
