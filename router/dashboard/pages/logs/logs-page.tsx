/** Every request of the organization, served and refused, and a field that finds one by its id. */
import { RefreshCw } from 'lucide-react';
import { useId } from 'react';
import { zoneWords } from '../../format/time.ts';
import { Button } from '../../parts/button.tsx';
import { LoadedList } from '../../parts/loaded-list.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { Switch } from '../../parts/switch.tsx';
import { ZoneChoice } from '../../parts/zone-choice.tsx';
import { LOG_RANGES } from '../../search.ts';
import { useOrganization } from '../../session.tsx';
import { useZone } from '../../zone.ts';
import { spanOf } from '../usage/span.ts';
import { useAsOf } from '../usage/use-as-of.ts';
import { FindRequest } from './find-request.tsx';
import { LogFilters } from './log-filters.tsx';
import { LogTable } from './log-table.tsx';
import { useLogs } from './use-logs.ts';
import { useLogsAddress } from './use-logs-address.ts';

const USUAL_RANGE = '24h';

export default function LogsPage() {
  const organization = useOrganization();
  // The key hides the requests of one organization while those of another are loading.
  return <RequestLogs key={organization} />;
}

function RequestLogs() {
  const zone = useZone();
  const address = useLogsAddress();
  const { search, change } = address;
  const { range = USUAL_RANGE, live } = search;
  const [asOf, toNow] = useAsOf();
  const logs = useLogs(search, spanOf({ range }, asOf).start);
  const refresh = () => {
    toNow();
    void logs.refetch();
  };
  return (
    <Page
      title="Logs"
      description="All requests, including refused ones. Prompts and responses are never stored."
      actions={
        <>
          <Live isOn={live === true} onChange={(isOn) => change({ live: isOn || undefined })} />
          <ZoneChoice />
          <Segmented
            label="Time"
            value={range}
            choices={LOG_RANGES.map((value) => ({ value, name: value }))}
            onChange={(chosen) => change({ range: chosen })}
          />
          <Button square aria-label="Refresh" busy={logs.isFetching && !live} onClick={refresh}>
            <RefreshCw />
          </Button>
        </>
      }
    >
      <FindRequest />
      <LogFilters {...address} />
      <Panel
        flush
        title="Requests"
        description={
          live
            ? `Newest first, ${zoneWords(zone)}. New requests appear automatically, and only the latest are listed.`
            : `Newest first, ${zoneWords(zone)}. When many requests are refused, a sample of them is listed.`
        }
      >
        <LoadedList
          list={logs}
          empty={
            <p className="border-t px-5 py-4 text-sm text-muted">
              {logs.hasNextPage
                ? 'None of the latest requests match these filters. Older requests may match.'
                : 'No requests in this period match. Choose a longer period or remove a filter.'}
            </p>
          }
        >
          {(rows) => <LogTable rows={rows} />}
        </LoadedList>
      </Panel>
    </Page>
  );
}

function Live({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const id = useId();
  return (
    <span className="mr-2 flex items-center gap-2 text-sm">
      <Switch id={id} checked={isOn} onChange={onChange} />
      <label htmlFor={id}>Live</label>
    </span>
  );
}
