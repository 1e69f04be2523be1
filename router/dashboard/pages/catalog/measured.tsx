/** The measured figures of a model over an hour, a day and 30 days. */
import { FIGURE_SPANS } from '../../../../shared/public-figures.ts';
import type { ModelFigures } from '../../../../shared/api/public-figures.ts';
import { compactCount, shownAbout, shownAboutSpeed, shownShare } from '../../format/count.ts';
import { Panel } from '../../parts/page.tsx';
import { UtcTime } from '../../parts/shown.tsx';
import { numeric, Table, Td } from '../../parts/list/table.tsx';
import { type PricedModel, SPAN_NAMES } from './order.ts';

type Row = Readonly<{
  name: string;
  note?: string;
  valueOf: (figures: ModelFigures) => string;
}>;

const ROWS: readonly Row[] = [
  {
    name: 'Time to first token, median',
    valueOf: ({ ttft_ms }) => shownAbout(ttft_ms?.p50 ?? null),
  },
  {
    name: 'Time to first token, p95',
    note: '95% of the answers begin within this time.',
    valueOf: ({ ttft_ms }) => shownAbout(ttft_ms?.p95 ?? null),
  },
  { name: 'Tokens per second, median', valueOf: ({ speed }) => speedOf(speed?.p50) },
  {
    name: 'Tokens per second, p5',
    note: '95% of the answers are at least this fast.',
    // A router of an earlier version does not tell it.
    valueOf: ({ speed }) => speedOf(speed?.p5),
  },
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
  return shownAboutSpeed(speed ?? null);
}

/** Whether there are figures of any span. */
export function isMeasured(figures: PricedModel['figures']): boolean {
  return FIGURE_SPANS.some((span) => {
    const { ttft_ms, speed, success, requests } = figures[span];
    return [ttft_ms, speed, success, requests].some((figure) => figure !== null);
  });
}

/** Stands in place of all figures. */
export function NotMeasured() {
  return (
    <Panel title="Measured">
      <p className="text-sm text-muted">
        There are no figures yet: fewer than 20 requests were sent in the last 30 days.
      </p>
    </Panel>
  );
}

type MeasuredProps = Pick<PricedModel, 'figures'> & Readonly<{ asOf: string | undefined }>;

/** `asOf`: the instant before which all figures are, if it is known. */
export function Measured({ figures, asOf }: MeasuredProps) {
  return (
    <Panel
      flush
      title="Measured"
      description={
        <>
          All requests of all customers. “–” means fewer than 20 requests.
          {asOf !== undefined && (
            <>
              {' '}
              As of <UtcTime at={asOf} />.
            </>
          )}
        </>
      }
    >
      <Table
        label="Measured figures"
        grid
        columns={['Figure', ...FIGURE_SPANS.map((span) => numeric(SPAN_NAMES[span]))]}
      >
        {ROWS.map(({ name, note, valueOf }) => (
          <tr key={name}>
            <Td title={note}>{name}</Td>
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
