/** The keys and the models that spent the most in the last 30 days. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { daysQuery, topKeysQuery } from '../../api/overview.ts';
import { shownShare } from '../../format/count.ts';
import { heightOf } from '../../format/usd.ts';
import { filterOfOne } from '../../search-values.ts';
import { type UsageSearch } from '../../search.ts';
import { Meter } from '../../parts/meter.tsx';
import { ModelId } from '../../parts/model-id.tsx';
import { Panel } from '../../parts/page.tsx';
import { Money } from '../../parts/shown.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { groupsOf } from '../usage/series.ts';
import { periodsOf, spendOf } from './figures.ts';

const RANGE = '30d';

export function TopKeys() {
  const days = useQuery(daysQuery(useOrganization()));
  return (
    <Panel title="Top keys" description="By spend">
      <Loaded query={days} loading={<Waiting />}>
        {(summary) => <Keys summary={summary} />}
      </Loaded>
    </Panel>
  );
}

function Keys({ summary }: { summary: UsageSummary }) {
  const keys = useQuery(topKeysQuery(useOrganization(), periodsOf(summary).now));
  return (
    <Loaded query={keys} loading={<Waiting />}>
      {(byKey) => (
        <Ranking
          total={byKey.totals.cost}
          rows={groupsOf(byKey).map(({ name, group: { group, other, cost } }) => ({
            name: other ? 'Other keys' : name,
            search: other
              ? null
              : group === null
                ? { range: RANGE, source: 'playground' }
                : { range: RANGE, key: group },
            cost,
          }))}
        />
      )}
    </Loaded>
  );
}

export function TopModels() {
  const days = useQuery(daysQuery(useOrganization()));
  return (
    <Panel title="Top models" description="By spend">
      <Loaded query={days} loading={<Waiting />}>
        {(summary) => {
          const { models, total } = spendOf(summary);
          return (
            <Ranking
              total={total}
              rows={models.map(({ name, group, total: cost }) => ({
                name,
                search: group === null ? null : { range: RANGE, model: filterOfOne(group) },
                cost,
              }))}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}

type RankingProps = Readonly<{
  total: string;
  /** `search` selects the usage of a row; null when there is no such page. */
  rows: readonly Readonly<{ name: string; search: UsageSearch | null; cost: string }>[];
}>;

function Ranking({ total, rows }: RankingProps) {
  if (rows.length === 0) return <Empty title="No usage" />;
  return (
    <ul className="grid gap-3 text-sm max-sm:gap-5">
      {rows.map(({ name, search, cost }) => {
        const share = heightOf(total) > 0 ? heightOf(cost) / heightOf(total) : 0;
        return (
          <li key={name} className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1">
            <Name search={search}>
              <ModelId id={name} />
            </Name>
            <span className="whitespace-nowrap">
              <span className="mr-2 text-xs text-muted tabular-nums">{shownShare(share)}</span>
              <Money amount={cost} />
            </span>
            <span className="col-span-2">
              <Meter share={share} warns={false} className="block w-full" />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Name({ search, children }: { search: UsageSearch | null; children: ReactNode }) {
  const organization = useOrganization();
  if (search === null) return <span className="text-muted">{children}</span>;
  return (
    <Link
      to="/$organization/usage"
      params={{ organization }}
      search={search}
      // A finger opens it anywhere on the row.
      className="wrap-anywhere underline-offset-2 hover:underline max-sm:after:absolute max-sm:after:inset-x-0 max-sm:after:-inset-y-2.5"
    >
      {children}
    </Link>
  );
}

function Waiting() {
  return <Skeleton className="h-32 w-full" />;
}
