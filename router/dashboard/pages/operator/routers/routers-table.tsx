import { routerName } from '../../../../../shared/router-names.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Router } from '../../../../../shared/api/routers.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import {
  shownBytes,
  shownCount,
  shownMs,
  shownSmallShare,
  shownSpeed,
} from '../../../format/count.ts';
import type { RoutersSearch } from '../../../operator-search.ts';
import { cx } from '../../../parts/class-names.ts';
import { opensOnClick } from '../../../parts/list/row-click.ts';
import { StateBadge, When } from '../../../parts/shown.tsx';
import { type Sorting, sortedBy } from '../../../parts/list/sorting.tsx';
import { foremost, numeric, Table, Td } from '../../../parts/list/table.tsx';
import { REQUEST_RATE_COLUMN, shownRequestRate } from '../request-rate.ts';
import { RouterEnd } from './router-end.tsx';
import { errorShare, ratePerSecond, tokensPerSecond } from './router-list.ts';
import { reportedLast, stateOf } from './router-words.ts';
import { STATE_WORDS } from './state-words.ts';

type Sort = NonNullable<RoutersSearch['sort']>;

type TableProps = Readonly<{ rows: readonly Router[]; onSort: (wanted: Sorting<Sort>) => void }> &
  Sorting<Sort>;

/** The name is a link to the router's page, which a click anywhere else in the row opens, too. */
export function RoutersTable({ rows, sort, order, onSort }: TableProps) {
  const navigate = useNavigate();
  const sorted = sortedBy({ sort, order }, onSort);
  return (
    <Table
      label="Routers"
      columns={[
        { name: 'Router', ...sorted('name', 'asc') },
        foremost('Status'),
        { name: 'Started', ...sorted('started') },
        { ...numeric(REQUEST_RATE_COLUMN), ...sorted('requests') },
        { ...numeric('Failed'), ...sorted('errors') },
        { ...numeric('Tokens/s'), ...sorted('tokens') },
        { ...numeric('Store lag'), ...sorted('store') },
        numeric('Hosts'),
        { ...numeric('Memory'), ...sorted('memory') },
      ]}
    >
      {rows.map((router) => (
        <tr
          key={router.id}
          className={cx(
            'cursor-pointer hover:bg-hover',
            reportedLast(router) !== null && 'text-muted',
          )}
          onClick={opensOnClick(
            () => void navigate({ to: '/operator/routers/$router', params: { router: router.id } }),
          )}
        >
          <Td className="min-w-36 font-medium wrap-anywhere">
            <Link
              to="/operator/routers/$router"
              params={{ router: router.id }}
              className="hover:underline"
            >
              {routerName(router)}
            </Link>
            <span className="block text-xs font-normal text-muted">
              {router.regions.map((region) => REGION_NAMES[region]).join(', ')} ·{' '}
              {router.version ?? 'version unknown'}
            </span>
          </Td>
          <Td>
            <StateCell router={router} />
          </Td>
          <Td className="whitespace-nowrap">
            <When at={router.started} />
          </Td>
          <Td right>{dash(ratePerSecond(router), shownRequestRate)}</Td>
          <Td right className={hasErrorsNow(router) ? 'text-bad' : undefined}>
            {shownSmallShare(errorShare(router))}
          </Td>
          <Td right>{dash(tokensPerSecond(router), shownSpeed)}</Td>
          <Td right className="whitespace-nowrap">
            {dash(router.store_ms, shownMs)}
          </Td>
          <Td right>{dash(router.agents, shownCount)}</Td>
          <Td right className="whitespace-nowrap">
            {dash(router.memory_bytes, shownBytes)}
          </Td>
        </tr>
      ))}
    </Table>
  );
}

function hasErrorsNow(router: Router): boolean {
  return reportedLast(router) === null && (router.last_minute?.errors ?? 0) > 0;
}

/** The state, and how a router has ended, or the time of the last report of one that is silent. */
function StateCell({ router }: { router: Router }) {
  const reported = reportedLast(router);
  return (
    <>
      <StateBadge of={STATE_WORDS[stateOf(router)]} />
      {reported !== null && (
        <span className="block pt-0.5 text-xs text-muted">
          {router.ended ? (
            <RouterEnd ended={router.ended} />
          ) : (
            <>
              Last report <When at={reported} precision="seconds" />
            </>
          )}
        </span>
      )}
    </>
  );
}

/** A dash where the router does not tell. */
export function dash(value: number | null | undefined, format: (value: number) => string) {
  return value === undefined || value === null ? '–' : format(value);
}
