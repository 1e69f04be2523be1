/** The organizations that were charged the most. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { PlatformSummary } from '../../../../../shared/api/platform.ts';
import { RANGE_NAMES } from '../../../format/range-names.ts';
import { Panel } from '../../../parts/page.tsx';
import { Segmented } from '../../../parts/form/segmented.tsx';
import { foremost, MoneyCell, numeric, Table, Td } from '../../../parts/list/table.tsx';
import { Nothing } from '../nothing.tsx';

const SPANS = [
  { value: 'last_7_days', name: RANGE_NAMES['7d'] },
  { value: 'last_30_days', name: RANGE_NAMES['30d'] },
] as const;

export function TopCustomers({ top }: { top: PlatformSummary['top_customers'] }) {
  const [span, setSpan] = useState<keyof typeof top>('last_7_days');
  const rows = top[span];
  return (
    <Panel
      flush
      title="Top customers"
      description="By what they were charged for requests."
      actions={<Segmented label="Span" value={span} choices={SPANS} onChange={setSpan} />}
    >
      {rows.length === 0 ? (
        <Nothing flush title="Nothing was charged in this time">
          Charges appear some minutes after their requests.
        </Nothing>
      ) : (
        <Table label="Top customers" columns={['Organization', foremost(numeric('Charged'))]}>
          {rows.map(({ organization, name, usage }) => (
            <tr key={organization}>
              <Td className="max-w-96">
                <Link
                  to="/operator/organizations/$organization"
                  params={{ organization }}
                  className="block truncate font-medium hover:underline"
                >
                  {name ?? organization}
                </Link>
              </Td>
              <MoneyCell amount={usage} />
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}
