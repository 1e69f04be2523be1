/** Incidents, as operators write them: with the authors of their updates. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import type { WrittenIncident } from '../../../../../shared/api/incidents.ts';
import type { Region } from '../../../../../shared/region.ts';
import { incidentsQuery } from '../../../api/incidents.ts';
import { statusQuery } from '../../../api/public-figures.ts';
import { PAGES } from '../../../pages.ts';
import { Button } from '../../../parts/form/button.tsx';
import { Page } from '../../../parts/page.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { type IncidentsSearch } from '../../../operator-search.ts';
import { valuesOf } from '../../../search-values.ts';
import { IncidentActions } from '../../status/incident-actions.tsx';
import { Incidents } from '../../status/incidents.tsx';
import { ReportDialog } from '../../status/report-dialog.tsx';
import { isOpen } from '../../status/summary.ts';
import { useIsViewer } from '../../../session.tsx';
import { PersonLink } from '../people/person-link.tsx';

export default function IncidentsPage() {
  const incidents = useQuery(incidentsQuery);
  const models = useQuery(statusQuery).data?.models;
  const isViewer = useIsViewer();
  const search: IncidentsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (report: true | undefined) =>
    void navigate({ to: PAGES.incidents.path, search: { report }, replace: true });
  return (
    <Page
      title="Incidents"
      description="Shown on the status page, and in a banner to everybody who is signed in. Only operators see who wrote it."
      actions={
        <>
          <Button asChild>
            <Link to={PAGES.status.path}>
              <Activity /> Status page
            </Link>
          </Button>
          <ForAdministrators>
            <Button look="primary" onClick={() => go(true)}>
              Report an incident
            </Button>
          </ForAdministrators>
        </>
      }
    >
      <Loaded query={incidents}>{({ data }) => <Lists incidents={data} models={models} />}</Loaded>
      {search.report === true && models && !isViewer && (
        <ReportDialog
          models={models}
          draft={{
            title: search.title ?? '',
            started: search.started ?? null,
            models: valuesOf(search.models),
            regions: valuesOf(search.regions) as readonly Region[],
          }}
          onClose={() => go(undefined)}
        />
      )}
    </Page>
  );
}

type ListsProps = Readonly<{
  incidents: readonly WrittenIncident[];
  /** Undefined while they are loading. */
  models: readonly Readonly<{ id: string; name: string }>[] | undefined;
}>;

function Lists({ incidents, models }: ListsProps) {
  const shared = {
    names: new Map((models ?? []).map(({ id, name }) => [id, name])),
    actionsOf: (incident: WrittenIncident) => (
      <ForAdministrators>
        <IncidentActions incident={incident} models={models} />
      </ForAdministrators>
    ),
    besideOf: ({ author }: WrittenIncident['updates'][number]) => <Author author={author} />,
  };
  return (
    <>
      <Incidents
        title="Current incidents"
        incidents={incidents.filter(isOpen)}
        none="No incident is open."
        {...shared}
      />
      <Incidents
        title="Past incidents"
        incidents={incidents.filter((one) => !isOpen(one))}
        none="No incidents in the last 90 days."
        {...shared}
      />
    </>
  );
}

function Author({ author }: Pick<WrittenIncident['updates'][number], 'author'>) {
  if (author === null) return null;
  const { id, name } = author;
  if (name === null) return <span>by a deleted user</span>;
  return <span>by {id.startsWith('per_') ? <PersonLink id={id} name={name} /> : name}</span>;
}
