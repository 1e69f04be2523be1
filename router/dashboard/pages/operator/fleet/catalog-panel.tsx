import { useQuery } from '@tanstack/react-query';
import { catalogQuery } from '../../../api/fleet.ts';
import { countOf } from '../../../format/count.ts';
import { outdatedAt } from '../../../parts/as-of.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Badge, When } from '../../../parts/shown.tsx';
import { Loaded } from '../../../parts/states.tsx';

/** The active catalog. When the catalog file has an error, the previous catalog stays active. */
export function CatalogPanel() {
  const catalog = useQuery(catalogQuery);
  return (
    <Panel
      title="Catalog"
      description={
        catalog.data && (
          <>
            {countOf(catalog.data.models, 'model')}, loaded <When at={catalog.data.loaded} />.
          </>
        )
      }
      actions={catalog.data?.fault === null && <Badge tone="good">Active</Badge>}
      asOf={outdatedAt(catalog)}
      flush
    >
      <Loaded query={catalog}>
        {({ fault }) =>
          fault !== null && (
            <div className="grid justify-items-start gap-1.5 px-5 pb-4">
              <Badge tone="bad">The file is invalid: the previous catalog stays active</Badge>
              <pre className="max-w-full overflow-x-auto rounded-md bg-sunken p-2 font-mono text-xs whitespace-pre-wrap">
                {fault}
              </pre>
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}
