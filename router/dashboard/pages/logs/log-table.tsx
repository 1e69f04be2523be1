import { shownCount, shownMs } from '../../format/count.ts';
import { withTimes, type Zone } from '../../format/time.ts';
import { ModelCell } from '../../parts/model-id.tsx';
import { foremost, MoneyCell, numeric, Table, Td } from '../../parts/table.tsx';
import { useZone } from '../../zone.ts';
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
  const fault = faultOf(row, useZone());
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
        <span className="line-clamp-3 wrap-anywhere">{fault ?? tokensIn(row)}</span>
      </Td>
      {row.kind === 'refused' ? <Td right>–</Td> : <MoneyCell amount={row.entry.cost} />}
      <Td right className="whitespace-nowrap">
        {row.kind === 'refused' ? '–' : shownMs(row.entry.duration_ms)}
      </Td>
    </RequestRow>
  );
}

/**
 * Why the request was refused or failed. Null for one that was answered. The cause of the code
 * stands for a refusal without a message.
 */
function faultOf(row: LogRow, zone: Zone): string | null {
  if (row.kind === 'admitted') return causeOf(row.entry);
  const { message, status, code } = row.entry;
  if (message !== '') return withTimes(message, zone);
  return causeOf({ status, finish_reason: null, error: code });
}

function tokensIn({ kind, entry }: LogRow): string | null {
  if (kind === 'refused') return null;
  const { prompt_tokens, completion_tokens } = entry;
  return `${shownCount(prompt_tokens)} prompt, ${shownCount(completion_tokens)} completion`;
}
