/** Up to four models side by side. */
import type { ReactNode } from 'react';
import type { FigureSpan } from '../../../../shared/public-figures.ts';
import { cx } from '../../parts/class-names.ts';
import { Panel } from '../../parts/page.tsx';
import { comparedRows } from './comparison-rows.ts';
import { ModelLink } from './model-link.tsx';
import { type PricedModel, SPAN_NAMES } from './order.ts';
import { RegionStates } from './states.tsx';

/** The names of the rows stay in view when the models are too many for the screen. */
const NAME =
  'sticky left-0 px-3 py-2 pl-5 text-left text-muted sm:whitespace-nowrap max-sm:w-26 max-sm:min-w-26 max-sm:pl-4';

type ComparisonProps = Readonly<{
  models: readonly PricedModel[];
  span: FigureSpan;
}>;

export function Comparison({ models, span }: ComparisonProps) {
  const rows = comparedRows(models, span);
  const time = `the ${SPAN_NAMES[span].toLowerCase()}`;
  const measured = rows.some(({ isMeasured }) => isMeasured)
    ? `Figures of ${time}.`
    : `Each model had fewer than 20 requests in ${time}, so no speed is shown.`;
  return (
    <Panel
      flush
      title="Comparison"
      description={`Prices in USD per million tokens. ${measured} The best value of a row is bold.`}
    >
      <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label="Comparison">
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
            <Row name="Status">
              {models.map(({ id, regions }) => (
                <td key={id} className="px-3 py-2">
                  <RegionStates regions={regions} />
                </td>
              ))}
            </Row>
            {rows.map(({ name, cells }) => (
              <Row key={name} name={name}>
                {cells.map(({ text, isBest }, at) => (
                  <td
                    key={models[at]?.id}
                    className={cx(
                      'px-3 py-2 tabular-nums',
                      isBest && 'font-semibold text-good',
                      text === null && 'text-muted',
                    )}
                  >
                    {text ?? '–'}
                    {isBest && <span className="sr-only"> (best)</span>}
                  </td>
                ))}
              </Row>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <tr>
      <th scope="row" className={cx(NAME, 'bg-panel font-normal')}>
        {name}
      </th>
      {children}
    </tr>
  );
}
