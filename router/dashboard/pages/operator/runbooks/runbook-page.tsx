/** One runbook: what the alert means, where to look and what to do. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { GROUPS } from 'virtual:runbooks';
import type { PlatformAlarm } from '../../../../../shared/api/platform.ts';
import { platformStatusQuery } from '../../../api/platform.ts';
import { PAGES } from '../../../pages.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { Button } from '../../../parts/form/button.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { Code, When } from '../../../parts/shown.tsx';
import { Skeleton } from '../../../parts/states.tsx';
import { UnknownItem } from '../../../parts/unknown-item.tsx';
import { listed } from '../../docs/listed.ts';
import { OnThisPage } from '../../docs/on-this-page.tsx';
import { alarmsByRunbook, runbookNamed } from './find-runbooks.ts';
import { isWatched, RUNBOOK_PAGES } from './runbook-pages.ts';
import { RunbookText } from './runbook-text.tsx';
import { ActiveBadge } from './active-badge.tsx';
import { LastActive } from './last-active.tsx';
import { SeverityBadge } from './severity-badge.tsx';

export default function RunbookPage() {
  const { runbook: wanted = '' } = useParams({ strict: false });
  const { data: status } = useQuery(platformStatusQuery);
  const found = runbookNamed(GROUPS, wanted);
  if (found === null) return <UnknownItem kind="runbooks" />;
  const { group, runbook } = found;
  const { name, title, severity, headings } = runbook;
  const byRunbook = alarmsByRunbook(status?.alarms ?? []);
  return (
    <Page
      title={title}
      description={
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 pt-0.5">
          <SeverityBadge severity={severity} />
          <Code>{name}</Code>
        </span>
      }
      back={<BackLink to="/operator/runbooks">Runbooks</BackLink>}
    >
      <State runbook={name} alarms={status && (byRunbook.get(name) ?? [])} />
      <Places runbook={name} />
      <div className="@container">
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6 @3xl:grid-cols-[minmax(0,1fr)_14rem]">
          <Panel>
            <Suspense fallback={<Skeleton className="h-64 w-full" />}>
              <RunbookText key={name} name={name} />
            </Suspense>
          </Panel>
          <aside aria-label="Around this runbook" className="grid gap-6 @3xl:sticky @3xl:top-8">
            <div className="hidden @3xl:block">
              <OnThisPage headings={headings} />
            </div>
            <nav aria-label={group.title}>
              <p className="mb-1 px-2 text-xs font-medium text-muted">{group.title}</p>
              <ul className="grid gap-0.5">
                {group.runbooks.map((one) => (
                  <li key={one.name}>
                    <Link
                      to={PAGES.runbook.path}
                      params={{ runbook: one.name }}
                      {...listed(one.name === name)}
                    >
                      <span className="flex flex-wrap items-center gap-1.5 wrap-anywhere">
                        {one.title}
                        <ActiveBadge alarms={byRunbook.get(one.name)}>Active</ActiveBadge>
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          </aside>
        </div>
      </div>
    </Page>
  );
}

/** The pages of the dashboard on which to look. */
function Places({ runbook }: { runbook: string }) {
  const pages = RUNBOOK_PAGES[runbook] ?? [];
  return (
    <nav aria-label="In the dashboard" className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="text-sm text-muted">Look in the dashboard:</p>
      <ul className="flex flex-wrap gap-2">
        {pages.map((page) => (
          <li key={page}>
            <Button asChild size="small">
              <Link to={PAGES[page].path}>Open {PAGES[page].title.toLowerCase()}</Link>
            </Button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type StateProps = Readonly<{
  runbook: string;
  /** Undefined while they are loading. */
  alarms: readonly PlatformAlarm[] | undefined;
}>;

/** Whether what the runbook is for is the case now, as far as the routers know. */
function State({ runbook, alarms }: StateProps) {
  if (alarms === undefined) return null;
  if (alarms.length > 0) return <Alarms alarms={alarms} />;
  return isWatched(runbook) ? (
    <Notice title="No router has this alarm now">
      <p>
        <LastActive runbook={runbook} />
      </p>
      Your monitoring may still report it: it looks at a longer time, and at more than the routers
      watch themselves.
    </Notice>
  ) : (
    <Notice title="Only your monitoring knows whether this alert is firing">
      It follows from the metrics of routers and agents, which the dashboard does not read.
    </Notice>
  );
}

function Alarms({ alarms }: { alarms: readonly PlatformAlarm[] }) {
  return alarms.map(({ kind, message, severity, since }) => (
    <Notice
      key={`${kind} ${message}`}
      tone={severity === 'urgent' ? 'bad' : 'warn'}
      title="This alarm is active now"
    >
      {message}
      {since !== undefined && since !== null && (
        <>
          {' '}
          Began <When at={since} relative />
        </>
      )}
    </Notice>
  ));
}
