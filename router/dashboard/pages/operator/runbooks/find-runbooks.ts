/** Finds runbooks by words and by severity, and the alarms that each is for. */
import type { PlatformAlarm, RecordedAlarm } from '../../../../../shared/api/platform.ts';
import { searchWords } from '../../../format/search-words.ts';
import type { RunbooksSearch } from '../../../operator-search.ts';
import type { Runbook, RunbookGroup } from '../../../runbook-sections.ts';

/** Returns the groups with the runbooks that have every word; those without any are left out. */
export function foundRunbooks(
  groups: readonly RunbookGroup[],
  { search = '', severity }: RunbooksSearch,
): readonly RunbookGroup[] {
  const words = searchWords(search);
  const fits = ({ name, title, first, text, ...runbook }: Runbook, group: string) => {
    const all = [name, title, first, text, group].join('\n').toLowerCase();
    return hasSeverity(runbook, severity) && words.every((word) => all.includes(word));
  };
  return groups
    .map(({ title, runbooks }) => ({ title, runbooks: runbooks.filter((one) => fits(one, title)) }))
    .filter(({ runbooks }) => runbooks.length > 0);
}

function hasSeverity(
  runbook: Pick<Runbook, 'severity'>,
  severity: RunbooksSearch['severity'],
): boolean {
  return severity === undefined || runbook.severity.split(/\W+/).includes(severity);
}

/** Returns the active alarms by the name of their runbook. */
export function alarmsByRunbook(
  alarms: readonly PlatformAlarm[],
): ReadonlyMap<string, readonly PlatformAlarm[]> {
  return Map.groupBy(alarms, ({ runbook }) => runbook ?? '');
}

/** Returns the alarm of a runbook that was active last, of the last one of each kind. */
export function lastAlarmOf(
  latest: readonly RecordedAlarm[],
  runbook: string,
): RecordedAlarm | null {
  const endOf = ({ ended }: RecordedAlarm) => (ended === null ? Infinity : Date.parse(ended));
  const [last = null] = latest
    .filter((alarm) => alarm.runbook === runbook)
    .toSorted((a, b) => endOf(b) - endOf(a));
  return last;
}

/** Alerts name their runbook as it stands there; old addresses have it in small letters. */
export function runbookNamed(
  groups: readonly RunbookGroup[],
  name: string,
): Readonly<{ group: RunbookGroup; runbook: Runbook }> | null {
  const wanted = name.toLowerCase();
  for (const group of groups) {
    const runbook = group.runbooks.find((one) => one.name.toLowerCase() === wanted);
    if (runbook) return { group, runbook };
  }
  return null;
}
