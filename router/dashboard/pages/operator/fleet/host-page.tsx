/**
 * One host: how it is at a glance and against its peers, its workers as they are, its history, and
 * what happened to it.
 */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { RUNBOOKS } from '../../../../../shared/alarm-runbooks.ts';
import type { Agent, LastKnown } from '../../../../../shared/api/agents.ts';
import { agentsQuery, fleetQuery, lastKnownQuery } from '../../../api/fleet.ts';
import { rowsOf, type WorkerRow } from '../../../api/readings.ts';
import { AsOf, AsOfTime, outdatedAt } from '../../../parts/as-of.tsx';
import { BackLink } from '../../../parts/back-link.tsx';
import { cx } from '../../../parts/class-names.ts';
import { Notice } from '../../../parts/notice.tsx';
import { useOpenedOne } from '../../../parts/opened.ts';
import { Page, Panel } from '../../../parts/page.tsx';
import { When } from '../../../parts/shown.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { UnknownItem } from '../../../parts/unknown-item.tsx';
import { useIsViewer } from '../../../session.tsx';
import { RunbookButton } from '../runbooks/runbook-button.tsx';
import { BreakerNotice } from './breaker-notice.tsx';
import { ChangeHostDialog } from './change-host-dialog.tsx';
import { drainChoicesOf } from './drain-progress.ts';
import { HostHistoryPanel } from './history-panel.tsx';
import { HostActions } from './host-actions.tsx';
import { HostBadge } from './host-badge.tsx';
import { HostEvents } from './host-events.tsx';
import { linkEndInWords } from './host-event-words.ts';
import { HostFacts } from './host-facts.tsx';
import { HostHour } from './host-hour.tsx';
import { hostStatus, lastSeen } from './host-status.ts';
import { HostTotals } from './host-totals.tsx';
import { isLost } from './lost-hosts.ts';
import { useReadAgain } from './use-read-again.ts';
import { UnreadyNotice } from './unready-notice.tsx';
import { WorkersTable } from './workers-table.tsx';

export default function HostPage() {
  const { agent: id = '' } = useParams({ strict: false });
  // Figures and drafts of one host do not stay when another is opened.
  return <Host key={id} id={id} />;
}

function Host({ id }: { id: string }) {
  const agents = useQuery(agentsQuery);
  const fleet = useQuery(fleetQuery);
  const known = useQuery(lastKnownQuery(id)).data;
  const [doing, setDoing] = useOpenedOne(['drain', 'undrain', 'revoke'] as const);
  const isViewer = useIsViewer();
  const agent = agents.data?.find((one) => one.id === id);
  useReadAgain(agent);
  // What this router has listed of a host that has meanwhile gone away says nothing of it any more.
  const isAway = agent?.connected === false;
  const isAwaited = isAway && agent.state === 'enrolling';
  const listed = fleet.data && !isAway ? rowsOf(fleet.data) : [];
  const rows = listed.filter(({ worker }) => worker.agent === id);
  const read = outdatedAt(fleet);
  const workers = rows.map(({ worker }) => worker);
  if (agents.data && agent === undefined) {
    return <UnknownItem kind="hosts" />;
  }
  return (
    <Page
      title={agent?.name ?? 'Host'}
      description={
        agent && (
          <Standing
            agent={agent}
            rows={fleet.data ? rows : null}
            asOf={outdatedAt(fleet, agents)}
          />
        )
      }
      back={<BackLink to="/operator/fleet">Fleet</BackLink>}
      actions={agent && <HostActions agent={agent} workers={workers} onDo={setDoing} />}
    >
      {drainChoicesOf(id, workers).undrain && <DrainNotice known={known} />}
      {agent && isLost(agent) && <LostNotice known={known} />}
      {isAwaited && (
        <Notice title="Its agent has not connected yet">
          Start its agent with the command that you got when you enrolled the host. If you no longer
          have the command, revoke the host and enrol it again.
        </Notice>
      )}
      <UnreadyNotice rows={rows} />
      <BreakerNotice agent={id} rows={rows} />
      {!isAwaited && (
        <div className="grid gap-3">
          {rows.length > 0 && (
            <AsOf at={read}>
              <HostTotals rows={rows} />
            </AsOf>
          )}
          <HostHour agent={id} workers={fleet.data?.workers} />
        </div>
      )}
      <Panel title="Workers" asOf={read} flush>
        <Loaded query={fleet}>
          {() => <WorkersTable rows={rows} none={agent && absenceOf(agent)} />}
        </Loaded>
      </Panel>
      <Panel title="Details">
        <Loaded query={agents}>
          {() => agent && <HostFacts agent={agent} workers={workers} known={known} />}
        </Loaded>
      </Panel>
      <HostHistoryPanel agent={id} />
      <div id="events" className="scroll-mt-4">
        <HostEvents agent={id} />
      </div>
      {doing && agent && agent.state !== 'revoked' && !isViewer && (
        <ChangeHostDialog agent={agent} what={doing} onClose={() => setDoing(null)} />
      )}
    </Page>
  );
}

type StandingProps = Readonly<{
  agent: Agent;
  /** Null until they are read. */
  rows: readonly WorkerRow[] | null;
  /** When it was read, if it cannot be read again. */
  asOf: string | null;
}>;

/** The status of the host and what it means, below its name. */
function Standing({ agent, rows, asOf }: StandingProps) {
  const status = hostStatus(agent, rows);
  return (
    <span
      className={cx(
        'flex flex-wrap items-center gap-x-2 gap-y-1 pt-0.5',
        asOf !== null && 'grayscale',
      )}
    >
      <HostBadge status={status} />
      <span>
        {status.note !== '' && `${status.note}. `}
        {asOf !== null && <AsOfTime at={asOf} />}
      </span>
    </span>
  );
}

/** Who has drained the host, and why. Nothing if only single workers of it were drained. */
function DrainNotice({ known }: { known: LastKnown | undefined }) {
  const drained = known?.drained ?? null;
  if (drained === null) return null;
  return (
    <Notice
      title={
        <>
          Drained by {drained.by ?? 'an operator'} <When at={drained.at} relative />
        </>
      }
    >
      {drained.reason ?? 'No note was left.'}
    </Notice>
  );
}

/** The alarm of lost hosts has this runbook, but it begins some minutes later. */
const LOST_RUNBOOK = RUNBOOKS.host_lost;

/** The status of the host says since when it is lost. */
function LostNotice({ known }: { known: LastKnown | undefined }) {
  const left = known?.left ?? null;
  return (
    <Notice
      tone="warn"
      title="This host gets no requests until its agent connects again"
      action={<RunbookButton runbook={LOST_RUNBOOK} />}
    >
      {left === null ? undefined : `Its last connection ended: ${linkEndInWords(left.reason)}.`}
    </Notice>
  );
}

/** Why a host has no workers here. */
function absenceOf(agent: Agent) {
  if (agent.connected) return `${hostStatus(agent, []).note}.`;
  const seen = lastSeen(agent);
  if (seen === null) return 'None, because the host has never connected.';
  if (!agent.absence) {
    return (
      <>
        This router is not connected to it. It was last seen <When at={seen} relative />, and may be
        connected to another router.
      </>
    );
  }
  return (
    <>
      Not connected since <When at={seen} precision="seconds" />.
    </>
  );
}
