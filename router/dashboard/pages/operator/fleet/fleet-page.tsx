/**
 * The fleet: what needs attention, its totals, the lists of workers and hosts, and then its history.
 */
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { rowsOf, type WorkerRow } from '../../../api/readings.ts';
import { fleetHistoryQuery } from '../../../api/fleet-history.ts';
import { agentsQuery, fleetQuery } from '../../../api/fleet.ts';
import { AsOf, outdatedAt } from '../../../parts/as-of.tsx';
import { Button } from '../../../parts/form/button.tsx';
import { useOpened } from '../../../parts/opened.ts';
import { Page } from '../../../parts/page.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { useIsViewer } from '../../../session.tsx';
import { CatalogPanel } from './catalog-panel.tsx';
import { EnrolDialog } from './enrol-dialog.tsx';
import { FleetAlarms } from './fleet-alarms.tsx';
import { FleetTotals } from './fleet-totals.tsx';
import { FleetHistoryPanel } from './history-panel.tsx';
import { recordedTotals } from './recorded-totals.ts';
import { HostReports } from './host-reports.tsx';
import { HostsPanel } from './hosts-panel.tsx';
import { WorkersPanel } from './workers-panel.tsx';

export default function FleetPage() {
  const fleet = useQuery(fleetQuery);
  const hour = useQuery(fleetHistoryQuery({ span: 'hour' })).data;
  const recorded = hour && recordedTotals(hour);
  const hosts = useQuery(agentsQuery).data ?? [];
  const [enrolling, setEnrolling] = useOpened('enrol');
  const isViewer = useIsViewer();
  const rows = fleet.data ? rowsOf(fleet.data) : null;
  const models = modelsOf(rows ?? []);
  return (
    <Page
      title="Fleet"
      description="The hosts, their workers as this router sees them, and what they have done."
      actions={
        <ForAdministrators>
          <Button look="primary" onClick={() => setEnrolling(true)}>
            <Plus /> Enrol host
          </Button>
        </ForAdministrators>
      }
    >
      <FleetAlarms />
      {rows && (
        <AsOf at={outdatedAt(fleet)}>
          <FleetTotals rows={rows} recorded={recorded ?? null} hosts={hosts} />
        </AsOf>
      )}
      <div id="workers" className="scroll-mt-4">
        <WorkersPanel models={models} />
      </div>
      <div id="hosts" className="scroll-mt-4">
        <HostsPanel />
      </div>
      <div id="history" className="scroll-mt-4">
        <FleetHistoryPanel models={models} />
      </div>
      <HostReports />
      <CatalogPanel />
      {enrolling && !isViewer && <EnrolDialog onClose={() => setEnrolling(false)} />}
    </Page>
  );
}

function modelsOf(rows: readonly WorkerRow[]): string[] {
  return [...new Set(rows.flatMap(({ worker }) => worker.models))].toSorted();
}
