import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { shownCount, shownShare } from '../../../format/count.ts';
import { ShowMore } from '../../../parts/list/loaded-list.tsx';
import { Meter } from '../../../parts/meter.tsx';
import { PhoneFold } from '../../../parts/list/phone-fold.tsx';
import { Badge } from '../../../parts/shown.tsx';
import { numeric, Table, Td } from '../../../parts/list/table.tsx';
import { Nothing } from '../nothing.tsx';
import type { ModelDemand } from './demand.ts';

/** What follows on the page stays in sight. */
const SHOWN = 8;

export function DemandTable({ rows }: { rows: readonly ModelDemand[] }) {
  const [isWhole, setWhole] = useState(false);
  if (rows.length === 0) {
    return (
      <Nothing flush title="No model is served">
        Enrol a host on the page Fleet. Its models appear here when it is connected.
      </Nothing>
    );
  }
  const shown = isWhole ? rows : rows.slice(0, SHOWN);
  return (
    <PhoneFold what={`the models (${shownCount(rows.length)})`}>
      <Table
        label="Demand and capacity by model"
        columns={[
          'Model',
          numeric('Workers ready'),
          'Slots in use now',
          'Peak slots, 24 h',
          numeric('Requests, 24 h'),
          numeric('Not served, 24 h'),
        ]}
      >
        {shown.map((row) => (
          <tr key={row.model}>
            <Td className="max-w-80">
              <Link
                to="/operator/fleet"
                search={{ span: 'day', model: row.model }}
                className="block truncate font-medium hover:underline"
              >
                {row.model}
              </Link>
            </Td>
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
      {shown.length < rows.length && <ShowMore onMore={() => setWhole(true)} />}
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
