import { compactCount, shownAbout, shownSpeed, shownUptime } from '../../format/count.ts';
import { perMillion } from '../../format/usd.ts';
import { Money } from '../../parts/shown.tsx';
import { foremost, numeric, Table, Td } from '../../parts/table.tsx';
import { ModelLink } from './model-link.tsx';
import type { FigureSpan, PricedModel } from './order.ts';
import { RegionStates } from './states.tsx';

const COLUMNS = [
  'Model',
  numeric('Prompt'),
  numeric('Completion'),
  numeric('Context'),
  numeric('First token'),
  numeric('Tokens/s'),
  numeric('Uptime'),
  foremost('Status'),
  { name: 'Compare', hidden: true },
];

type ModelsTableProps = Readonly<{
  models: readonly PricedModel[];
  span: FigureSpan;
  compared: readonly PricedModel[];
  /** No more models can be compared. */
  isFull: boolean;
  onCompare: (models: readonly PricedModel[]) => void;
}>;

export function ModelsTable({ models, span, compared, isFull, onCompare }: ModelsTableProps) {
  return (
    <Table label="Models" columns={COLUMNS}>
      {models.map((model) => {
        const { ttft_ms: ttft, speed } = model.figures[span];
        const others = compared.filter(({ id }) => id !== model.id);
        const isCompared = others.length < compared.length;
        return (
          <tr key={model.id}>
            <Td className="min-w-48">
              <span className="grid">
                <span className="font-medium">
                  <ModelLink id={model.id}>{model.name}</ModelLink>
                </span>
                <code className="font-mono text-xs break-all text-muted">{model.id}</code>
              </span>
            </Td>
            <Td right>
              <Money amount={perMillion(model.billed.prompt)} exact />
            </Td>
            <Td right>
              <Money amount={perMillion(model.billed.completion)} exact />
            </Td>
            <Td right>{compactCount(model.context_length)}</Td>
            <Td right>{shownAbout(ttft && ttft.p50)}</Td>
            <Td right>{speed ? shownSpeed(speed.p50) : '–'}</Td>
            <Td right>{shownUptime(model.uptime)}</Td>
            <Td>
              <RegionStates regions={model.regions} />
            </Td>
            <Td>
              <label className="flex items-center gap-1.5 text-xs text-muted">
                <input
                  type="checkbox"
                  className="accent-accent"
                  aria-label={`Compare ${model.name}`}
                  checked={isCompared}
                  disabled={isFull && !isCompared}
                  onChange={() => onCompare(isCompared ? others : [...compared, model])}
                />
                Compare
              </label>
            </Td>
          </tr>
        );
      })}
    </Table>
  );
}
