/** All runbooks by subject. Those whose alarm is active now are marked, and come first. */
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { LifeBuoy } from 'lucide-react';
import { GROUPS } from 'virtual:runbooks';
import type { PlatformAlarm } from '../../../../../shared/api/platform.ts';
import { SEARCH_CHARS_MAX } from '../../../../../shared/bounds/search-chars.ts';
import { platformStatusQuery } from '../../../api/platform.ts';
import { searchWords } from '../../../format/search-words.ts';
import { type RunbooksSearch, runbooksSearch } from '../../../operator-search.ts';
import { PAGES } from '../../../pages.ts';
import { useSearchChange } from '../../../parts/list/use-search-change.ts';
import { Highlighted } from '../../../parts/highlighted.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { SearchBox } from '../../../parts/list/search-box.tsx';
import { Segmented } from '../../../parts/form/segmented.tsx';
import { Code } from '../../../parts/shown.tsx';
import { Empty } from '../../../parts/states.tsx';
import type { Runbook } from '../../../runbook-sections.ts';
import { ActiveBadge } from './active-badge.tsx';
import { DOCUMENTS } from './documents.ts';
import { alarmsByRunbook, foundRunbooks } from './find-runbooks.ts';
import { LastActive } from './last-active.tsx';
import { SeverityBadge } from './severity-badge.tsx';
import { SEVERITIES } from './severity-words.ts';

const CHOICES = [
  { value: 'all', name: 'All' },
  { value: 'page', name: SEVERITIES.page },
  { value: 'ticket', name: SEVERITIES.ticket },
] as const;

export default function RunbooksPage() {
  const search: RunbooksSearch = useSearch({ strict: false });
  const alarms = alarmsByRunbook(useQuery(platformStatusQuery).data?.alarms ?? []);
  const groups = foundRunbooks(GROUPS, search);
  const active = groups.flatMap(({ runbooks }) => runbooks.filter(({ name }) => alarms.has(name)));
  // Each is listed once.
  const others = groups
    .map(({ title, runbooks }) => ({
      title,
      runbooks: runbooks.filter(({ name }) => !alarms.has(name)),
    }))
    .filter(({ runbooks }) => runbooks.length > 0);
  const change = useSearchChange(runbooksSearch);
  const list = (runbooks: readonly Runbook[]) => (
    <RunbookList runbooks={runbooks} active={alarms} words={searchWords(search.search ?? '')} />
  );
  return (
    <Page
      title="Runbooks"
      description="What to do about each alert. Urgent: customers are affected or will be soon. Warning: it can wait for a day."
    >
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox
          label="Search runbooks"
          placeholder="Alert, command or symptom"
          charsMax={SEARCH_CHARS_MAX}
          searched={search.search ?? ''}
          onSearch={(text) => change({ search: text === '' ? undefined : text })}
        />
        <Segmented
          label="Severity"
          value={search.severity ?? 'all'}
          choices={CHOICES}
          onChange={(chosen) => change({ severity: chosen === 'all' ? undefined : chosen })}
        />
      </div>
      {groups.length === 0 && (
        <Panel>
          <Empty icon={<LifeBuoy />} title="No runbook fits">
            Search for fewer words, or for another severity.
          </Empty>
        </Panel>
      )}
      {active.length > 0 && (
        <Panel flush title="Active now" description="An alarm is active for these.">
          {list(active)}
        </Panel>
      )}
      {others.map(({ title, runbooks }) => (
        <Panel key={title} flush title={title}>
          {list(runbooks)}
        </Panel>
      ))}
      {search.search === undefined && search.severity === undefined && <Documents />}
    </Page>
  );
}

type RunbookListProps = Readonly<{
  runbooks: readonly Runbook[];
  active: ReadonlyMap<string, readonly PlatformAlarm[]>;
  words: readonly string[];
}>;

function RunbookList({ runbooks, active, words }: RunbookListProps) {
  return (
    <ul className="grid divide-y divide-line border-t">
      {runbooks.map(({ name, title, severity, first }) => (
        <li key={name}>
          <Link
            to={PAGES.runbook.path}
            params={{ runbook: name }}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2.5 text-sm hover:bg-hover"
          >
            <span className="grid min-w-0 flex-[1_1_18rem] gap-0.5 wrap-anywhere max-sm:basis-48">
              <span className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
                <span className="font-medium">
                  <Highlighted text={title} words={words} />
                </span>
                <span className="text-muted">
                  <Code>
                    <Highlighted text={name} words={words} />
                  </Code>
                </span>
              </span>
              <span className="text-muted">
                <Highlighted text={sentence(first)} words={words} />
              </span>
            </span>
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              {!active.has(name) && (
                <span className="text-xs text-muted">
                  <LastActive runbook={name} isBrief />
                </span>
              )}
              <ActiveBadge alarms={active.get(name)}>Active now</ActiveBadge>
              <SeverityBadge severity={severity} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The documents to which the runbooks refer. */
function Documents() {
  return (
    <Panel flush title="Documents">
      <ul className="grid divide-y divide-line border-t">
        {Object.entries(DOCUMENTS).map(([document, title]) => (
          <li key={document}>
            <Link
              to={PAGES.document.path}
              params={{ document }}
              className="block px-5 py-2.5 text-sm font-medium hover:bg-hover"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
