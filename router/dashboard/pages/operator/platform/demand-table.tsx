import { Link } from '@tanstack/react-router';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { shownCount, shownShare } from '../../../format/count.ts';
import { ShowMore } from '../../../parts/list/loaded-list.tsx';
import { Meter } from '../../../parts/meter.tsx';
import { PhoneFold } from '../../../parts/list/phone-fold.tsx';
import { Badge } from '../../../parts/shown.tsx';
import { foremost, numeric, Table, Td } from '../../../parts/list/table.tsx';
import { useFirstRows } from '../../../parts/list/first-rows.ts';
import { Nothing } from '../nothing.tsx';
import type { ModelDemand } from './demand.ts';

export function DemandTable({ rows }: { rows: readonly ModelDemand[] }) {
  const { rows: shown, onMore } = useFirstRows(rows);
  if (rows.length === 0) {
    return (
      <Nothing flush title="No model is served">
        Enrol a host on the page Fleet. Its models appear here when it is connected.
      </Nothing>
    );
  }
  return (
    <PhoneFold what={`the models by region (${shownCount(rows.length)})`}>
      <Table
        label="Demand and capacity by model and region"
        columns={[
          'Model',
          'Region',
          foremost(numeric('Workers ready')),
          'Slots in use now',
          'Peak slots, 24 h',
          numeric('Requests, 24 h'),
          numeric('Not served, 24 h'),
        ]}
      >
        {shown.map((row) => (
          <tr key={`${row.region} ${row.model}`}>
            <Td className="max-w-80">
              <Link
                to="/operator/fleet"
                search={{ span: 'day', model: row.model, region: row.region }}
                className="block truncate font-medium hover:underline"
              >
                {row.model}
              </Link>
            </Td>
            <Td>{REGION_NAMES[row.region]}</Td>
            <Td right>
              {row.ready === 0 ? <Badge tone="bad">None</Badge> : shownCount(row.ready)}
              {row.workers > row.ready && (
                <span className="text-muted"> of {shownCount(row.workers)}</span>
              )}
            </Td>
            <Td>
              <Load
                share={row.slots === 0 ? null : row.running / row.slots}
                text={`${shownCount(row.running)} of ${shownCount(row.slots)}`}
              />
            </Td>
            <Td>
              <Load share={row.peak} text={row.peak === null ? '–' : shownShare(row.peak)} />
            </Td>
            <Td right>{row.requests === null ? '–' : shownCount(row.requests)}</Td>
            <Td right>{row.unserved === null ? '–' : shownCount(row.unserved)}</Td>
          </tr>
        ))}
      </Table>
      {onMore && <ShowMore name={`Show all ${shownCount(rows.length)}`} onMore={onMore} />}
    </PhoneFold>
  );
}

function Load({ share, text }: Readonly<{ share: number | null; text: string }>) {
  return (
    <span className="flex items-center gap-2 whitespace-nowrap tabular-nums">
      {share !== null && <Meter share={share} className="w-14" />}
      {text}
    </span>
  );
}
