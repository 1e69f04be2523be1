import type { FigureSpan } from '../../../../shared/public-figures.ts';
import type { Region } from '../../../../shared/region.ts';
import { compactCount, shownAbout, shownAboutSpeed, shownUptime } from '../../format/count.ts';
import { cx } from '../../parts/class-names.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Breakable } from '../../parts/model-id.tsx';
import { ACTIONS, type Column, FLEXIBLE, numeric, Table, Td } from '../../parts/list/table.tsx';
import { CAPABILITIES, capabilitiesOf } from './match.ts';
import { ModelLink } from './model-link.tsx';
import { directionOf, type Order, type PricedModel } from './order.ts';
import { Price } from './price.tsx';
import { RegionStates } from './states.tsx';
import { TryIt } from './try-it.tsx';

type ModelsTableProps = Readonly<{
  models: readonly PricedModel[];
  span: FigureSpan;
  sorting: Readonly<{ sort: Order | undefined; isReversed: boolean }>;
  onSort: (column: Order) => void;
  /** The region whose states are shown. Null: all regions. */
  region: Region | null;
  compared: readonly PricedModel[];
  /** No more models can be compared. */
  isFull: boolean;
  onCompare: (models: readonly PricedModel[]) => void;
}>;

export function ModelsTable(props: ModelsTableProps) {
  const { models, span, region, compared, isFull, onCompare } = props;
  return (
    <Table label="Models" grid columns={columnsOf(props)}>
      {models.map((model) => {
        const { ttft_ms: ttft, speed } = model.figures[span];
        const others = compared.filter(({ id }) => id !== model.id);
        const isCompared = others.length < compared.length;
        return (
          <tr key={model.id}>
            <Td className={cx(FLEXIBLE, 'md:min-w-40')}>
              <Named model={model} />
            </Td>
            <Td right className={NARROW.className}>
              {compactCount(model.context_length)}
            </Td>
            <Td right className={NARROW.className}>
              <Price model={model} part="prompt" />
            </Td>
            <Td right className={NARROW.className}>
              <Price model={model} part="input_cache_read" />
            </Td>
            <Td right className={NARROW.className}>
              <Price model={model} part="completion" />
            </Td>
            <Td right className={NARROW.className}>
              {shownAbout(ttft && ttft.p50)}
            </Td>
            <Td right className={NARROW.className}>
              {shownAboutSpeed(speed && speed.p50)}
            </Td>
            <Td className={NARROW.className}>
              <span className="grid justify-items-start gap-1">
                <RegionStates regions={model.regions} only={region} />
                {model.uptime !== null && (
                  <span className="text-xs whitespace-nowrap text-muted">
                    {shownUptime(model.uptime)} uptime
                  </span>
                )}
              </span>
            </Td>
            <Td className="text-center lg:px-1">
              <input
                type="checkbox"
                className="accent-accent max-md:size-5"
                aria-label={`Compare ${model.name}`}
                checked={isCompared}
                disabled={isFull && !isCompared}
                onChange={() => onCompare(isCompared ? others : [...compared, model])}
              />
            </Td>
            <Td>
              <TryIt model={model.id} name={model.name} small />
            </Td>
          </tr>
        );
      })}
    </Table>
  );
}

/** So that all columns fit beside the navigation. */
const NARROW = { className: 'lg:px-2' } as const;

function columnsOf({ sorting, onSort }: ModelsTableProps): readonly Column[] {
  const sorted = (column: Order): Pick<Column, 'sorted'> => ({
    sorted: {
      order: sorting.sort === column ? directionOf(column, sorting.isReversed) : null,
      onSort: () => onSort(column),
    },
  });
  return [
    { name: 'Model', ...sorted('name') },
    { ...numeric('Context'), ...NARROW, ...sorted('context') },
    { ...numeric('Prompt'), ...NARROW, ...sorted('prompt') },
    { ...numeric('Cached'), ...NARROW, ...sorted('cached') },
    { ...numeric('Completion'), ...NARROW, ...sorted('completion') },
    { ...numeric('First token'), ...NARROW, ...sorted('ttft') },
    { ...numeric('Tokens/s'), ...NARROW, ...sorted('speed') },
    { name: 'Status', ...NARROW },
    { name: 'Compare', align: 'center', className: 'lg:px-1' },
    ACTIONS,
  ];
}

function Named({ model }: { model: PricedModel }) {
  return (
    <span className="grid gap-1">
      <span className="font-medium">
        <ModelLink id={model.id}>{model.name}</ModelLink>
      </span>
      <span className="-my-0.5 flex min-w-0 items-center gap-1">
        <code className="min-w-0 font-mono text-xs break-words text-muted">
          <Breakable>{model.id}</Breakable>
        </code>
        <CopyButton text={model.id} what={`the ID of ${model.name}`} />
      </span>
      <span className="flex flex-wrap gap-x-1 text-xs text-muted">
        {capabilitiesOf(model).map((capability) => (
          <span key={capability} className="not-last:after:ml-1 not-last:after:content-['·']">
            {CAPABILITIES[capability]}
          </span>
        ))}
      </span>
    </span>
  );
}
