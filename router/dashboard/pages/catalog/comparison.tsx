/** Up to four models side by side. */
import type { FigureSpan } from '../../../../shared/public-figures.ts';
import type { ReactNode } from 'react';
import { shownAbout, shownCount, shownShare, shownSpeed } from '../../format/count.ts';
import { uptimeWords } from '../../format/measured-time.ts';
import { PRICE_PART_NAMES, PRICE_PARTS } from '../../format/price-parts.ts';
import { perMillion } from '../../format/usd.ts';
import { utcDate } from '../../format/utc.ts';
import { cx } from '../../parts/class-names.ts';
import { Panel } from '../../parts/page.tsx';
import { Money } from '../../parts/shown.tsx';
import { CAPABILITIES, capabilitiesOf } from './match.ts';
import { ModelLink } from './model-link.tsx';
import { type PricedModel, SPAN_NAMES } from './order.ts';
import { RegionStates } from './states.tsx';

type Row = Readonly<{ name: string; valueOf: (model: PricedModel) => ReactNode }>;

function rowsOf(span: FigureSpan): readonly Row[] {
  const prices = PRICE_PART_NAMES.map(
    (part): Row => ({
      name: PRICE_PARTS[part],
      valueOf: ({ billed }) => <Money amount={perMillion(billed[part])} exact />,
    }),
  );
  return [
    { name: 'Status', valueOf: ({ regions }) => <RegionStates regions={regions} /> },
    ...prices,
    {
      name: 'Time to first token, median',
      valueOf: ({ figures }) => shownAbout(figures[span].ttft_ms?.p50 ?? null),
    },
    {
      name: 'Time to first token, p95',
      valueOf: ({ figures }) => shownAbout(figures[span].ttft_ms?.p95 ?? null),
    },
    { name: 'Tokens per second', valueOf: ({ figures }) => speedOf(figures[span].speed) },
    { name: 'Answered', valueOf: ({ figures }) => shareOf(figures[span].success) },
    {
      name: 'Uptime',
      valueOf: (model) => uptimeWords(model),
    },
    { name: 'Context', valueOf: (model) => shownCount(model.context_length) },
    { name: 'Max output', valueOf: (model) => shownCount(model.max_output_length) },
    {
      name: 'Capabilities',
      valueOf: (model) =>
        capabilitiesOf(model)
          .map((capability) => CAPABILITIES[capability])
          .join(', ') || 'None',
    },
    { name: 'Quantization', valueOf: ({ quantization }) => quantization },
    {
      name: 'Released',
      valueOf: ({ created }) => utcDate(new Date(created * 1_000).toISOString()),
    },
  ];
}

function speedOf(speed: PricedModel['figures']['day']['speed']): string {
  return speed ? shownSpeed(speed.p50) : '–';
}

function shareOf(share: number | null): string {
  return share === null ? '–' : shownShare(share);
}

/** The names of the rows stay in view when the models are too many for the screen. */
const NAME =
  'sticky left-0 px-3 py-2 pl-5 text-left text-muted sm:whitespace-nowrap max-sm:w-26 max-sm:min-w-26 max-sm:pl-4';

type ComparisonProps = Readonly<{
  models: readonly PricedModel[];
  span: FigureSpan;
}>;

export function Comparison({ models, span }: ComparisonProps) {
  return (
    <Panel
      flush
      title="Comparison"
      description={`Prices in USD per million tokens. Figures of the last ${SPAN_NAMES[span].toLowerCase()}.`}
    >
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Comparison">
        <table className="w-full border-collapse text-sm">
          <thead className="border-y bg-sunken/60 text-xs">
            <tr>
              <th scope="col" className={cx(NAME, 'bg-sunken font-medium')}>
                Model
              </th>
              {models.map(({ id, name }) => (
                <th
                  key={id}
                  scope="col"
                  className="min-w-36 px-3 py-2 text-left font-medium max-sm:min-w-30"
                >
                  <ModelLink id={id}>{name}</ModelLink>
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rowsOf(span).map(({ name, valueOf }) => (
              <tr key={name}>
                <th scope="row" className={cx(NAME, 'bg-panel font-normal')}>
                  {name}
                </th>
                {models.map((model) => (
                  <td key={model.id} className="px-3 py-2 tabular-nums">
                    {valueOf(model)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
