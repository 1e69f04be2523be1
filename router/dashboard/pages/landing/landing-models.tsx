import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PublicModel } from '../../../../shared/api/public-figures.ts';
import { decimalsOf } from '../../../../shared/money.ts';
import { publicModelsQuery } from '../../api/public-figures.ts';
import { compactCount, shownAbout, shownAboutSpeed, shownUptime } from '../../format/count.ts';
import { perMillion } from '../../format/usd.ts';
import { Panel } from '../../parts/page.tsx';
import { Money } from '../../parts/shown.tsx';
import { Loaded } from '../../parts/states.tsx';
import { numeric, Table, Td } from '../../parts/list/table.tsx';
import { CAPABILITIES, capabilitiesOf } from '../catalog/match.ts';
import { ModelLink } from '../catalog/model-link.tsx';

const SHOWN_MAX = 6;

type Figure = Readonly<{ name: string; valueOf: (model: PublicModel) => ReactNode }>;

/** Always known. The prices of a column have as many decimals as the one with most of them. */
function pricesOf(models: readonly PublicModel[]): readonly Figure[] {
  const price = (name: string, part: 'prompt' | 'completion'): Figure => {
    const amountOf = ({ pricing }: PublicModel) => perMillion(pricing[part]);
    const decimals = decimalsOf(models.map(amountOf));
    return {
      name,
      valueOf: (model) => <Money amount={amountOf(model)} decimals={decimals} exact />,
    };
  };
  return [
    price('Prompt', 'prompt'),
    price('Completion', 'completion'),
    { name: 'Context', valueOf: (model) => compactCount(model.context_length) },
  ];
}

const MEDIANS = 'Time to first token and speed are medians of all requests of the last 24 hours.';

/** Of the last 24 hours; the uptime of at most 30 days. Null where too little was measured. */
const MEASURED: readonly (Figure &
  Readonly<{ isKnown: (model: PublicModel) => boolean; basis: string }>)[] = [
  {
    name: 'Time to first token',
    isKnown: ({ figures }) => figures.day.ttft_ms !== null,
    basis: MEDIANS,
    valueOf: ({ figures }) => shownAbout(figures.day.ttft_ms?.p50 ?? null),
  },
  {
    name: 'Tokens/s',
    isKnown: ({ figures }) => figures.day.speed !== null,
    basis: MEDIANS,
    valueOf: ({ figures }) => shownAboutSpeed(figures.day.speed?.p50 ?? null),
  },
  {
    name: 'Uptime',
    isKnown: ({ uptime }) => uptime !== null,
    basis: 'Uptime is measured over at most 30 days.',
    valueOf: ({ uptime }) => shownUptime(uptime),
  },
];

/**
 * The first models of the catalog with their prices, and what was measured of any of them. Nothing
 * while the catalog is empty.
 */
export function LandingModels() {
  const models = useQuery(publicModelsQuery);
  if (models.data?.data.length === 0) return null;
  return (
    <Panel
      title="Models"
      description="List prices per million tokens."
      actions={
        <Link to="/catalog" className="text-sm font-medium text-accent hover:underline">
          All models
        </Link>
      }
      flush
      className="overflow-hidden"
    >
      <Loaded query={models}>{({ data }) => <Models models={data.slice(0, SHOWN_MAX)} />}</Loaded>
    </Panel>
  );
}

function Models({ models }: { models: readonly PublicModel[] }) {
  const measured = MEASURED.filter(({ isKnown }) => models.some(isKnown));
  const figures = [...pricesOf(models), ...measured];
  return (
    <>
      <Table label="Models" grid columns={['Model', ...figures.map(({ name }) => numeric(name))]}>
        {models.map((model) => (
          <tr key={model.id}>
            <Td className="font-medium">
              <ModelLink id={model.id}>{model.name}</ModelLink>
              <span className="block text-xs font-normal text-muted empty:hidden">
                {capabilitiesOf(model)
                  .map((capability) => CAPABILITIES[capability])
                  .join(' · ')}
              </span>
            </Td>
            {figures.map(({ name, valueOf }) => (
              <Td key={name} right>
                {valueOf(model)}
              </Td>
            ))}
          </tr>
        ))}
      </Table>
      {measured.length > 0 && (
        <p className="border-t px-5 py-2.5 text-xs text-muted">
          {[...new Set(measured.map(({ basis }) => basis))].join(' ')}
        </p>
      )}
    </>
  );
}
