/** All models with their prices and measured figures, for visitors and signed-in people alike. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Boxes, SearchX } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Input, Select } from '../../parts/field.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Toggles } from '../../parts/toggles.tsx';
import { type CatalogSearch, catalogSearch, FIGURE_SPANS, MODEL_ORDERS } from '../../search.ts';
import { SiteFrame } from '../../shell/site-frame.tsx';
import { CAPABILITIES, CAPABILITY_NAMES, type Capability, isMatch } from '../models/match.ts';
import { Comparison } from './comparison.tsx';
import { ModelsTable } from './models-table.tsx';
import { inOrder, ORDER_NAMES, type PricedModel, SPAN_NAMES } from './order.ts';
import { useOwnOrganization, usePricedModels } from './use-models.ts';

const CHOICES = CAPABILITY_NAMES.map((value) => ({ value, name: CAPABILITIES[value] }));
const SPAN_CHOICES = FIGURE_SPANS.map((value) => ({ value, name: SPAN_NAMES[value] }));
/** More would not fit side by side. */
const COMPARED_MAX = 4;

export default function CatalogPage() {
  return (
    <SiteFrame>
      <Priced />
    </SiteFrame>
  );
}

function Priced() {
  const models = usePricedModels();
  const organization = useOwnOrganization();
  const whose = organization === null ? 'List prices' : 'Your prices';
  return (
    <Page title="Models" description={`${whose} per million tokens, speed and uptime.`}>
      <Loaded query={models}>{(all) => <Catalog all={all} />}</Loaded>
    </Page>
  );
}

type Filter = Readonly<{ search: string; wanted: readonly Capability[] }>;
const ANY: Filter = { search: '', wanted: [] };

function Catalog({ all }: { all: readonly PricedModel[] }) {
  const shown: CatalogSearch = useSearch({ from: '/catalog' });
  const { sort, span = 'day', compare = '' } = shown;
  const navigate = useNavigate();
  const [filter, setFilter] = useState(ANY);
  const { search, wanted } = useDeferredValue(filter);
  const change = (part: Readonly<Partial<Record<keyof CatalogSearch, string>>>) =>
    void navigate({
      to: '/catalog',
      search: catalogSearch({ ...shown, ...part }),
      replace: true,
      resetScroll: false,
    });
  const ids = compare.split(',').slice(0, COMPARED_MAX);
  const compared = all.filter(({ id }) => ids.includes(id));
  const onCompare = (chosen: readonly PricedModel[]) =>
    change({ compare: chosen.map(({ id }) => id).join(',') });
  const found = inOrder(
    all.filter((model) => isMatch(model, search, wanted)),
    sort,
    span,
  );
  if (all.length === 0) {
    return (
      <Empty icon={<Boxes />} title="No models yet">
        The platform operator has not added models to the catalog yet.
      </Empty>
    );
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Input
          type="search"
          aria-label="Search models"
          placeholder="Search models"
          autoComplete="off"
          className="sm:max-w-64"
          value={filter.search}
          onChange={({ target }) => setFilter({ ...filter, search: target.value })}
        />
        <Toggles
          label="Capabilities"
          chosen={filter.wanted}
          choices={CHOICES}
          onChange={(chosen) => setFilter({ ...filter, wanted: chosen })}
        />
        <Select
          aria-label="Sort by"
          className="sm:ml-auto sm:max-w-48"
          value={sort ?? ''}
          onChange={({ target }) => change({ sort: target.value })}
        >
          <option value="">Default order</option>
          {MODEL_ORDERS.map((order) => (
            <option key={order} value={order}>
              {ORDER_NAMES[order]}
            </option>
          ))}
        </Select>
        <Segmented
          label="Time of the figures"
          value={span}
          choices={SPAN_CHOICES}
          onChange={(chosen) => change({ span: chosen })}
        />
      </div>
      {compared.length > 0 && (
        <Comparison models={compared} span={span} onClear={() => onCompare([])} />
      )}
      <Panel flush>
        <p role="status" className="sr-only">
          {found.length} of {all.length} models
        </p>
        {found.length === 0 ? (
          <Empty
            icon={<SearchX />}
            title="No matches"
            action={<Button onClick={() => setFilter(ANY)}>Clear filters</Button>}
          >
            Change the search or clear the filters.
          </Empty>
        ) : (
          <ModelsTable
            models={found}
            span={span}
            compared={compared}
            isFull={compared.length >= COMPARED_MAX}
            onCompare={onCompare}
          />
        )}
      </Panel>
      <p className="text-xs text-muted">
        Time to first token and speed are medians of all requests of the chosen time. A dash stands
        where there were fewer than 20 of them. Uptime is measured over at most 30 days.
      </p>
    </>
  );
}
