/** The measured figures of a model over an hour, a day and 30 days. */
import type { ModelFigures } from '../../../../shared/api/public-figures.ts';
import { compactCount, shownAbout, shownShare, shownSpeed } from '../../format/count.ts';
import { Panel } from '../../parts/page.tsx';
import { numeric, Table, Td } from '../../parts/table.tsx';
import { FIGURE_SPANS } from '../../search.ts';
import { type PricedModel, SPAN_NAMES } from './order.ts';

const ROWS: readonly Readonly<{ name: string; valueOf: (figures: ModelFigures) => string }>[] = [
  {
    name: 'Time to first token, median',
    valueOf: ({ ttft_ms }) => shownAbout(ttft_ms?.p50 ?? null),
  },
  { name: 'Time to first token, p95', valueOf: ({ ttft_ms }) => shownAbout(ttft_ms?.p95 ?? null) },
  { name: 'Tokens per second, median', valueOf: ({ speed }) => speedOf(speed?.p50) },
  { name: 'Tokens per second, p95', valueOf: ({ speed }) => speedOf(speed?.p95) },
  {
    name: 'Requests answered',
    valueOf: ({ success }) => (success === null ? '–' : shownShare(success)),
  },
  {
    name: 'Requests counted',
    valueOf: ({ requests }) => (requests === null ? '–' : `${compactCount(requests)}+`),
  },
];

function speedOf(speed: number | undefined): string {
  return speed === undefined ? '–' : shownSpeed(speed);
}

export function Measured({ figures }: Pick<PricedModel, 'figures'>) {
  const isEmpty = FIGURE_SPANS.every((span) => figures[span].ttft_ms === null);
  return (
    <Panel
      flush
      title="Measured"
      description={
        isEmpty
          ? 'There were too few requests to show figures. At least 20 are needed.'
          : 'All requests of all customers. “–” means fewer than 20 requests.'
      }
    >
      <Table
        label="Measured figures"
        columns={['Figure', ...FIGURE_SPANS.map((span) => numeric(SPAN_NAMES[span]))]}
      >
        {ROWS.map(({ name, valueOf }) => (
          <tr key={name}>
            <Td>{name}</Td>
            {FIGURE_SPANS.map((span) => (
              <Td key={span} right>
                {valueOf(figures[span])}
              </Td>
            ))}
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
