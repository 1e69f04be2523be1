/** Every request of the organization, served and refused, and a field that finds one by its id. */
import { RefreshCw } from 'lucide-react';
import { useId } from 'react';
import { REQUESTS_CSV_ROWS_MAX } from '../../../../shared/bounds/requests-csv.ts';
import { requestsCsv } from '../../api/requests.ts';
import { shownCount } from '../../format/count.ts';
import { RANGE_NAMES } from '../../format/range-names.ts';
import { zoneWords } from '../../format/time.ts';
import { Button } from '../../parts/form/button.tsx';
import { DownloadLink } from '../../parts/download-link.tsx';
import { FoldButton, useFold } from '../../parts/list/folded-filters.tsx';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Segmented } from '../../parts/form/segmented.tsx';
import { Switch } from '../../parts/form/switch.tsx';
import { useZoom } from '../../parts/chart/use-zoom.ts';
import { ZoneChoice } from '../../parts/zone-choice.tsx';
import { LOG_RANGES } from '../../search.ts';
import { useOrganization } from '../../session.tsx';
import { useZone } from '../../zone.ts';
import { useAsOf } from '../usage/use-as-of.ts';
import { CustomTime, customTimeShown } from './custom-time.tsx';
import { LogFilters, NO_FILTERS } from './log-filters.tsx';
import { LogTable } from './log-table.tsx';
import { chosenTime, logTimeOf, USUAL_RANGE } from './log-time.ts';
import { narrowingOf } from './narrowing.ts';
import { NoRequests } from './no-requests.tsx';
import { useCodeChoices } from './use-code-choices.ts';
import { useLogs } from './use-logs.ts';
import { useLogsAddress } from './use-logs-address.ts';
import { useVolume } from './use-volume.ts';
import { VolumePanel } from './volume-panel.tsx';

type Range = (typeof LOG_RANGES)[number];

export default function LogsPage() {
  const organization = useOrganization();
  // The key hides the requests of one organization while those of another are loading.
  return <RequestLogs key={organization} />;
}

function RequestLogs() {
  const organization = useOrganization();
  const zone = useZone();
  const filters = useFold();
  const address = useLogsAddress();
  const { search, change } = address;
  const { range: asked, from, to } = search;
  const live = search.live === true;
  const zoom = useZoom({ range: asked, from, to, live: search.live }, change);
  const [asOf, toNow] = useAsOf();
  const time = logTimeOf(search, asOf);
  const narrowing = narrowingOf(search);
  const volume = useVolume(time, narrowing, { asOf, live });
  const logs = useLogs({ time, narrowing, live });
  const codes = useCodeChoices(time, narrowing, logs.data ?? []);
  const range = time.isCustom ? 'custom' : (search.range ?? USUAL_RANGE);
  const refresh = () => {
    toNow();
    void Promise.all([logs.refetch(), volume.refetch()]);
  };
  const { start, end } = time;
  return (
    <Page
      title="Logs"
      description="All requests. Prompts and responses are never stored."
      actions={
        <>
          <Live isOn={live} onChange={(isOn) => change({ live: isOn || undefined })} />
          <ZoneChoice notOnPhone />
          <Segmented<Range | 'custom'>
            label="Time"
            value={range}
            choices={LOG_RANGES.map((value) => ({ value, name: RANGE_NAMES[value] }))}
            onChange={(chosen) => chosen !== 'custom' && change({ range: chosen })}
          />
          {/* On a phone, the buttons are one line below the ranges. */}
          <CustomTime
            of="the time at which requests arrived"
            time={time}
            asOf={asOf}
            onChosen={change}
            isShownElsewhere
          />
          <FoldButton
            fold={filters}
            name="Search and filters"
            count={Object.keys(narrowing).length}
          />
          <Button square aria-label="Refresh" busy={logs.isFetching && !live} onClick={refresh}>
            <RefreshCw />
          </Button>
        </>
      }
    >
      <LogFilters {...address} fold={filters} codes={codes} />
      <VolumePanel
        volume={volume}
        time={time}
        narrowing={narrowing}
        chosen={customTimeShown(time, asOf, zone)}
        onChosen={(first, until) => zoom.onZoom(chosenTime(first, until))}
        onStatus={(status) => change({ status })}
        onReset={zoom.onReset}
      />
      <Panel
        flush
        title="Requests"
        description={
          live
            ? `Newest first, ${zoneWords(zone)}. New requests appear automatically, and only the latest are listed.`
            : `Newest first, ${zoneWords(zone)}. When many requests are refused, a sample of them is listed.`
        }
        actions={
          <span title={`At most the latest ${shownCount(REQUESTS_CSV_ROWS_MAX)} requests`}>
            <DownloadLink
              href={requestsCsv(organization, { start, ...(end && { end }), ...narrowing })}
              what="these requests"
            />
          </span>
        }
      >
        <LoadedList
          list={logs}
          empty={
            <NoRequests
              hasMore={logs.hasNextPage}
              isNarrowed={Object.keys(narrowing).length > 0}
              onLonger={range === '30d' ? undefined : () => change({ range: '30d' })}
              onClear={() => change(NO_FILTERS)}
            />
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
