/** One router: how it is now, its alarms, what it has served, and its hosts. */
import { routerName } from '../../../../../shared/router-names.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { RouterDetail } from '../../../../../shared/api/routers.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { routerQuery } from '../../../api/fleet.ts';
import { shownCount } from '../../../format/count.ts';
import { AsOf, AsOfTime, outdatedAt } from '../../../parts/as-of.tsx';
import { BackLink } from '../../../parts/back-link.tsx';
import { cx } from '../../../parts/class-names.ts';
import { Id } from '../../../parts/id.tsx';
import { Fact, Facts, Page, Panel } from '../../../parts/page.tsx';
import { StateBadge, When } from '../../../parts/shown.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { isUnknown, UnknownItem } from '../../../parts/unknown-item.tsx';
import { RouterAlarms } from './router-alarms.tsx';
import { RouterEnd } from './router-end.tsx';
import { RouterHistoryPanel } from './router-history.tsx';
import { RouterTotals } from './router-totals.tsx';
import { UnwellRouters } from './unwell-routers.tsx';
import { reportedLast, stateOf } from './router-words.ts';
import { STATE_WORDS } from './state-words.ts';

const LINK = 'underline decoration-line-strong underline-offset-2 hover:decoration-current';

export default function RouterPage() {
  const { router: id = '' } = useParams({ strict: false });
  const query = useQuery(routerQuery(id));
  if (isUnknown(query.error)) return <UnknownItem kind="routers" />;
  return (
    <Page
      title={query.data ? routerName(query.data) : 'Router'}
      description={query.data && <Standing router={query.data} read={outdatedAt(query)} />}
      back={<BackLink to="/operator/routers">Routers</BackLink>}
    >
      <Loaded query={query}>
        {(router) => (
          <>
            <UnwellRouters routers={[router]} />
            {router.state !== 'stopped' && (
              <>
                <Totals router={router} read={outdatedAt(query)} />
                <RouterAlarms router={router} />
              </>
            )}
            <RouterHistoryPanel router={router} />
            <div
              className={cx(
                'grid grid-cols-[minmax(0,1fr)] gap-6',
                router.state !== 'stopped' && 'lg:grid-cols-2',
              )}
            >
              <RouterFacts router={router} />
              {router.state !== 'stopped' && <RouterHosts router={router} />}
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

type RouterProp = Readonly<{ router: RouterDetail }>;
/** `read`: when the router was read, if it cannot be read again. */
type ReadProps = RouterProp & Readonly<{ read: string | null }>;

/** The status of the router, its region and its version, below its name. */
function Standing({ router, read }: ReadProps) {
  const { regions, version } = router;
  return (
    <span
      className={cx(
        'flex flex-wrap items-center gap-x-2 gap-y-1 pt-0.5',
        read !== null && 'grayscale',
      )}
    >
      <StateBadge of={STATE_WORDS[stateOf(router)]} />
      <span>
        {regions.map((region) => REGION_NAMES[region]).join(', ')} ·{' '}
        {version ? `Penstock ${version}` : 'version unknown'}
        {read !== null && (
          <>
            {' · '}
            <AsOfTime at={read} />
          </>
        )}
      </span>
    </span>
  );
}

function Totals({ router, read }: ReadProps) {
  const at = reportedLast(router) ?? read;
  return (
    <AsOf at={at}>
      <RouterTotals {...{ router, at }} />
    </AsOf>
  );
}

function RouterFacts({ router }: RouterProp) {
  return (
    <Panel title="Details">
      <Facts>
        <Fact name="Version">{router.version ?? 'Unknown'}</Fact>
        <Fact name="Region">{router.regions.map((region) => REGION_NAMES[region]).join(', ')}</Fact>
        <Fact name="Started">
          <When at={router.started} precision="seconds" />
        </Fact>
        <Fact name="Last report">
          {router.reported === undefined || router.reported === null ? (
            'None yet'
          ) : (
            <When
              at={router.reported}
              {...(reportedLast(router) === null ? { relative: true } : { precision: 'seconds' })}
            />
          )}
        </Fact>
        {router.ended && (
          <Fact name="Ended">
            <RouterEnd ended={router.ended} />
          </Fact>
        )}
        <Fact name="URL for agents">{router.url ?? 'None'}</Fact>
        <Fact name="ID">
          <Id id={router.id} what="the router ID" />
        </Fact>
      </Facts>
    </Panel>
  );
}

function RouterHosts({ router: { hosts, agents } }: RouterProp) {
  const more = hosts === null ? 0 : (agents ?? 0) - hosts.length;
  return (
    <Panel title="Hosts" description="Their agents were connected to it at its last report.">
      {hosts === null || hosts.length === 0 ? (
        <p className="text-sm text-muted">
          {hosts === null ? 'The router has not reported its hosts.' : 'No host is connected.'}
        </p>
      ) : (
        <ul className="max-h-80 columns-2 gap-6 overflow-y-auto text-sm leading-7">
          {hosts.map(({ id, name }) => (
            <li key={id} className="truncate">
              <Link to="/operator/hosts/$agent" params={{ agent: id }} className={LINK}>
                {name}
              </Link>
            </li>
          ))}
          {more > 0 && <li className="text-muted">and {shownCount(more)} more</li>}
        </ul>
      )}
    </Panel>
  );
}
