/** An audit log with its filters and its download: that of an organization, or of the platform. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import { FILTER_VALUES_MAX } from '../../../../shared/bounds/filter-values.ts';
import { DAY_MS } from '../../../../shared/durations.ts';
import { auditCsv, type AuditFilters, auditQuery, type AuditScope } from '../../api/audit.ts';
import { now } from '../../clock.ts';
import { RANGE_NAMES } from '../../format/range-names.ts';
import { useSearchChange } from '../../parts/list/use-search-change.ts';
import { LoadedList } from '../../parts/list/loaded-list.tsx';
import { Segmented } from '../../parts/form/segmented.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { DownloadLink } from '../../parts/download-link.tsx';
import { ZoneChoice } from '../../parts/zone-choice.tsx';
import { AUDIT_RANGES, type AuditSearch, auditSearch } from '../../search.ts';
import { valuesOf } from '../../search-values.ts';
import { CustomTime } from '../logs/custom-time.tsx';
import { useAsOf } from '../usage/use-as-of.ts';
import { Filters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { HideSignIns } from './hide-sign-ins.tsx';
import { leftOutOf } from './sign-ins.ts';

/** `custom`: a time that was chosen by its ends, which the button beside the ranges shows. */
type AuditRange = 'all' | 'custom' | (typeof AUDIT_RANGES)[number];

const TIMES = [
  { value: 'all', name: 'All' },
  ...AUDIT_RANGES.map((range) => ({ value: range, name: RANGE_NAMES[range] })),
] as const;

type AuditLogProps = Readonly<{ scope: AuditScope; title: string; description: string }>;

export function AuditLog({ scope, title, description }: AuditLogProps) {
  const shown: AuditSearch = useSearch({ strict: false });
  const [asOf] = useAsOf();
  const filters = useFilters(scope, shown);
  const { error, data, ...list } = useInfiniteQuery(auditQuery(scope, filters));
  const change = useSearchChange(auditSearch);
  // The log of the platform leaves sign-ins out until somebody asks for them.
  const { except: _, ...narrowing } = filters;
  const isFiltered =
    shown.except !== undefined || Object.values(narrowing).some((value) => value !== undefined);
  return (
    <Page
      title={title}
      description={description}
      actions={
        <>
          <ZoneChoice />
          <Segmented<AuditRange>
            label="Time"
            value={shown.from === undefined ? (shown.range ?? 'all') : 'custom'}
            choices={TIMES}
            onChange={(chosen) =>
              change({
                range: AUDIT_RANGES.find((range) => range === chosen),
                from: undefined,
                to: undefined,
              })
            }
          />
          <CustomTime
            of="the time at which changes were made"
            time={timeOf(filters, asOf)}
            asOf={asOf}
            onChosen={(time) => change({ ...time, range: undefined })}
          />
          <DownloadLink size="medium" href={auditCsv(scope, filters)} what="the audit log" />
        </>
      }
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <Filters scope={scope} shown={shown} onChange={change} />
        {scope === null && <HideSignIns shown={shown} onChange={change} />}
      </div>
      <Panel flush className="overflow-hidden">
        <LoadedList
          // Entries of other filters must not stay below an error of these.
          list={{ ...list, error, data: error && !list.isFetchNextPageError ? undefined : data }}
          empty={
            <Empty icon={<ScrollText />} title={isFiltered ? 'No matches' : 'No changes yet'}>
              {isFiltered
                ? 'No changes match these filters. Change or clear them.'
                : 'Changes are listed here as they are made.'}
            </Empty>
          }
        >
          {(entries) => <AuditTable entries={entries} withOrganization={scope === null} />}
        </LoadedList>
      </Panel>
    </Page>
  );
}

/** Adds the seconds that an address leaves out and the API requires. */
function whole(instant: string): string {
  return new Date(instant).toISOString();
}

/** The time that is shown. The whole log is longer than anybody wants to choose from. */
function timeOf({ from, until }: AuditFilters, asOf: number) {
  return {
    start: from ?? new Date(asOf - RANGE_DAYS['30d'] * DAY_MS).toISOString(),
    end: until,
    isCustom: until !== undefined,
  };
}

const RANGE_DAYS = { '24h': 1, '7d': 7, '30d': 30 } as const;

/** The filters of an address. The beginning of a range stays the same while it is chosen. */
function useFilters(scope: AuditScope, search: AuditSearch): AuditFilters {
  const { kind, except, actor, target, range, from, to, organization } = search;
  const start = useMemo(
    () =>
      range === undefined ? undefined : new Date(now() - RANGE_DAYS[range] * DAY_MS).toISOString(),
    [range],
  );
  const time = from === undefined ? { from: start } : { from: whole(from), until: to && whole(to) };
  const filters: AuditFilters = {
    action: kind === undefined ? undefined : valuesOf(kind),
    actor: actor === undefined ? undefined : valuesOf(actor),
    target,
    ...time,
  };
  const leftOut = [...leftOutOf(search), ...valuesOf(except)].slice(0, FILTER_VALUES_MAX);
  return scope === null
    ? {
        ...filters,
        except: leftOut.length === 0 ? undefined : leftOut,
        organization: organization === undefined ? undefined : valuesOf(organization),
      }
    : filters;
}
