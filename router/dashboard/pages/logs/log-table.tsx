import { shownMs } from '../../format/count.ts';
import { ModelCell } from '../../parts/model-id.tsx';
import { cx } from '../../parts/class-names.ts';
import { FLEXIBLE, foremost, MoneyCell, numeric, Table, Td } from '../../parts/list/table.tsx';
import { useZone } from '../../zone.ts';
import { OutcomeBadge } from '../usage/outcome-badge.tsx';
import { senderOf } from '../usage/sender.ts';
import { TOKENS, TokensCell } from '../usage/tokens-cell.tsx';
import { endedAs } from './failure-groups.ts';
import { faultOf } from './fault.ts';
import type { LogRow } from './merge.ts';
import { RequestRow } from './request-row.tsx';

/** Each request is one line, so that many fit on a screen. On a phone it is two. */
export function LogTable({ rows }: { rows: readonly LogRow[] }) {
  return (
    <Table
      label="Requests"
      lines
      columns={[
        'Ended',
        foremost('Outcome'),
        { name: 'Model', card: 'plain' },
        'Key',
        TOKENS,
        { ...numeric('Cost'), card: 'plain' },
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
      <Td className={cx(FLEXIBLE, 'md:min-w-48')} title={fault ?? undefined}>
        <span className="flex min-w-0 items-center gap-2">
          <span className="shrink-0">
            <OutcomeBadge of={endedAs(row)} />
          </span>
          <span className="truncate text-muted empty:hidden max-md:hidden">{fault}</span>
        </span>
      </Td>
      {entry.model === null ? (
        <Td className="whitespace-nowrap text-muted">Not read</Td>
      ) : (
        <ModelCell id={entry.model} lined />
      )}
      <Td inLines="none" className="max-w-28 truncate" title={entry.key_id}>
        {senderOf(entry)}
      </Td>
      <TokensCell of={row.kind === 'refused' ? null : row.entry} />
      {row.kind === 'refused' ? <Td right>–</Td> : <MoneyCell amount={row.entry.cost} />}
      <Td right inLines="none" className="whitespace-nowrap">
        {row.kind === 'refused' ? '–' : shownMs(row.entry.duration_ms)}
      </Td>
    </RequestRow>
  );
}
