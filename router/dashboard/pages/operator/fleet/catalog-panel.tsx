import { useQuery } from '@tanstack/react-query';
import { catalogQuery } from '../../../api/fleet.ts';
import { shownCount } from '../../../format/count.ts';
import { outdatedAt } from '../../../parts/as-of.tsx';
import { Fact, Facts, Panel } from '../../../parts/page.tsx';
import { Badge, When } from '../../../parts/shown.tsx';
import { Loaded } from '../../../parts/states.tsx';

/** The active catalog. When the catalog file has an error, the previous catalog stays active. */
export function CatalogPanel() {
  const catalog = useQuery(catalogQuery);
  return (
    <Panel title="Catalog" asOf={outdatedAt(catalog)}>
      <Loaded query={catalog}>
        {({ models, loaded, fault }) => (
          <Facts>
            <Fact name="Models">{shownCount(models)}</Fact>
            <Fact name="Loaded">
              <When at={loaded} />
            </Fact>
            <Fact name="Status">
              {fault === null ? (
                <Badge tone="good">Active</Badge>
              ) : (
                <div className="grid justify-items-start gap-1.5">
                  <Badge tone="bad">The file is invalid: the previous catalog stays active</Badge>
                  <pre className="max-w-full overflow-x-auto rounded-md bg-sunken p-2 font-mono text-xs whitespace-pre-wrap">
                    {fault}
                  </pre>
                </div>
              )}
            </Fact>
          </Facts>
        )}
      </Loaded>
    </Panel>
  );
}
