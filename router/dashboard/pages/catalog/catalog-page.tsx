/** All models with their prices and measured figures, for visitors and signed-in people alike. */
import { useSearch } from '@tanstack/react-router';
import { Boxes, SearchX } from 'lucide-react';
import { REGIONS } from '../../../../shared/region.ts';
import { useSearchChange } from '../../parts/list/use-search-change.ts';
import { Button } from '../../parts/form/button.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { type CatalogSearch, catalogSearch, CONTEXTS_MIN } from '../../search.ts';
import { valuesOf } from '../../search-values.ts';
import { OrganizationShown, RoleNote } from '../../session.tsx';
import { SiteFrame } from '../../shell/site-frame.tsx';
import { CatalogBar } from './catalog-bar.tsx';
import { Compared } from './compared.tsx';
import { type Capability, type Filter, isMatch } from './match.ts';
import { ModelsTable } from './models-table.tsx';
import { inOrder, type PricedModel } from './order.ts';
import { useOwn, useOwnRegion, usePricedModels } from './use-models.ts';

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
  const own = useOwn();
  const whose = models.areOwn ? 'Your prices' : 'List prices';
  return (
    <Page title="Models" description={`${whose} per million tokens, speed and uptime.`}>
      {own !== null && (
        <OrganizationShown id={own.organization.id}>
          <RoleNote permission="playground">You cannot try models in the playground.</RoleNote>
        </OrganizationShown>
      )}
      <Loaded query={models}>
        {(all) =>
          all.length === 0 ? (
            <Panel>
              <Empty icon={<Boxes />} title="No models yet">
                Models appear here once the service offers them.
              </Empty>
            </Panel>
          ) : (
            <Catalog all={all} />
          )
        }
      </Loaded>
    </Page>
  );
}

function filterOf({ search = '', can, context, region }: CatalogSearch): Filter {
  return {
    search,
    // The address has no other values.
    wanted: valuesOf(can) as readonly Capability[],
    contextMin: context === undefined ? 0 : CONTEXTS_MIN[context],
    region: region ?? null,
  };
}

function Catalog({ all }: { all: readonly PricedModel[] }) {
  const shown: CatalogSearch = useSearch({ from: '/catalog' });
  const { sort, order, span = 'day', compare = '' } = shown;
  const ownRegion = useOwnRegion();
  const change = useSearchChange(catalogSearch);
  const served = new Set(all.flatMap(({ regions }) => regions.map(({ region }) => region)));
  const filter = filterOf(shown);
  const ids = compare.split(',').slice(0, COMPARED_MAX);
  const compared = all.filter(({ id }) => ids.includes(id));
  const onCompare = (chosen: readonly PricedModel[]) =>
    change({ compare: chosen.map(({ id }) => id).join(',') });
  const isReversed = order === 'reversed';
  const found = inOrder(
    all.filter((model) => isMatch(model, filter)),
    { order: sort, isReversed, span },
  );
  const clear = () =>
    change({ search: undefined, can: undefined, context: undefined, region: undefined });
  return (
    <>
      <CatalogBar
        shown={shown}
        filter={filter}
        span={span}
        regions={REGIONS.filter((region) => served.has(region))}
        onChange={change}
      />
      <Panel flush>
        <p role="status" className="sr-only">
          {found.length} of {all.length} models
        </p>
        {found.length === 0 ? (
          <Empty
            icon={<SearchX />}
            title="No matches"
            action={<Button onClick={clear}>Clear filters</Button>}
          >
            Change the search or clear the filters.
          </Empty>
        ) : (
          <ModelsTable
            models={found}
            span={span}
            sorting={{ sort, isReversed }}
            onSort={(column) =>
              change({
                sort: column,
                order: sort === column && !isReversed ? 'reversed' : undefined,
              })
            }
            region={filter.region ?? ownRegion}
            compared={compared}
            isFull={compared.length >= COMPARED_MAX}
            onCompare={onCompare}
          />
        )}
      </Panel>
      <Compared models={compared} span={span} onClear={() => onCompare([])} />
      {found.length > 0 && (
        <p className="text-xs text-muted">
          Time to first token and speed are medians of all requests of the chosen time. A dash
          stands where there were fewer than 20 of them.
          {found.some(({ uptime }) => uptime !== null) &&
            ' Uptime is measured over at most 30 days.'}
        </p>
      )}
    </>
  );
}
