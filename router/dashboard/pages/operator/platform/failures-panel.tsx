/** The latest requests of all customers that failed with a status of 5xx. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { PlatformFailure } from '../../../../../shared/api/platform.ts';
import { platformFailuresQuery } from '../../../api/platform.ts';
import { zoneWords } from '../../../format/time.ts';
import { PAGES } from '../../../pages.ts';
import { LoadedList } from '../../../parts/list/loaded-list.tsx';
import { opensOnClick } from '../../../parts/list/row-click.ts';
import { ModelCell } from '../../../parts/model-id.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Badge, When } from '../../../parts/shown.tsx';
import { foremost, Table, Td } from '../../../parts/list/table.tsx';
import { useZone } from '../../../zone.ts';
import { Nothing } from '../nothing.tsx';

export function FailuresPanel() {
  const list = useInfiniteQuery(platformFailuresQuery);
  return (
    <Panel
      flush
      title="Failed requests of all customers"
      description={`Requests that ended with a status of 5xx, the latest first, ${zoneWords(useZone())}. When many are refused, a sample of them is listed.`}
    >
      <LoadedList list={list} empty={<Nothing flush title="No request has failed" />}>
        {(failures) => (
          <Table
            label="Failed requests"
            columns={['Arrived', 'Organization', 'Model', 'Host', foremost('Error')]}
          >
            {failures.map((failure) => (
              <Row key={failure.request_id} failure={failure} />
            ))}
          </Table>
        )}
      </LoadedList>
    </Panel>
  );
}

function Row({ failure }: { failure: PlatformFailure }) {
  const { request_id: request, organization, model, agent, status, error, created } = failure;
  const navigate = useNavigate();
  const to = { to: PAGES.request.path, params: { organization, request } } as const;
  return (
    <tr className="cursor-pointer hover:bg-hover" onClick={opensOnClick(() => void navigate(to))}>
      <Td>
        <Link {...to} className="font-medium hover:underline">
          <When at={created} precision="seconds" />
          <span className="sr-only">, request {request}</span>
        </Link>
      </Td>
      <Td className="max-w-48 truncate">
        <Link to={PAGES.anOrganization.path} params={{ organization }} className="hover:underline">
          {failure.organization_name ?? organization}
        </Link>
      </Td>
      {model === '' ? <Td className="text-muted">–</Td> : <ModelCell id={model} />}
      <Td className="max-w-40 truncate">
        {agent === null ? (
          <span className="text-muted">–</span>
        ) : (
          <Link to={PAGES.host.path} params={{ agent }} className="hover:underline">
            {failure.agent_name ?? agent}
          </Link>
        )}
      </Td>
      <Td>
        <span className="flex items-center gap-2">
          <Badge tone="bad">{status}</Badge>
          <code className="font-mono text-xs">{error}</code>
        </span>
      </Td>
    </tr>
  );
}
