/** The runbooks of docs/runbooks.md, as the dashboard groups, finds and marks them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RUNBOOKS } from '../../../../../shared/alarm-runbooks.ts';
import {
  alarmsByRunbook,
  foundRunbooks,
  lastAlarmOf,
  runbookNamed,
} from '../../../../../router/dashboard/pages/operator/runbooks/find-runbooks.ts';
import { isCommand } from '../../../../../router/dashboard/pages/operator/runbooks/is-command.ts';
import {
  isWatched,
  RUNBOOK_PAGES,
} from '../../../../../router/dashboard/pages/operator/runbooks/runbook-pages.ts';
import { severityInWords } from '../../../../../router/dashboard/pages/operator/runbooks/severity-words.ts';
import {
  runbookGroups,
  runbookTexts,
  runbookTitles,
} from '../../../../../router/dashboard/runbook-sections.ts';

const PAGE = readFileSync(new URL('../../../../../docs/runbooks.md', import.meta.url), 'utf8');
const GROUPS = runbookGroups(PAGE);
const names = (groups: typeof GROUPS) =>
  groups.flatMap(({ runbooks }) => runbooks.map(({ name }) => name));

test('every section is in one of the tables, and says where to look and what to do', () => {
  expect(names(GROUPS)).toEqual([...runbookTexts(PAGE).keys()]);
  for (const { runbooks } of GROUPS) {
    for (const { name, headings } of runbooks) {
      expect([name, ...headings.map(({ id }) => id)]).toEqual([name, 'look', 'do']);
    }
  }
});

test('each alert has a name for people, and no other alert has the same one', () => {
  const titles = runbookTitles(PAGE);
  expect(Object.keys(titles)).toEqual(names(GROUPS));
  expect(titles['PenstockModelWithoutWorker']).toBe('No worker can serve a model');
  expect(new Set(Object.values(titles)).size).toBe(Object.keys(titles).length);
  for (const title of Object.values(titles)) expect(title).toMatch(/^[A-Z][a-zA-Z ]+$/);
});

test('an alarm of any kind leads to a runbook that there is, if it has one', () => {
  const missing = Object.values(RUNBOOKS).filter(
    (name) => name !== null && !names(GROUPS).includes(name),
  );
  expect(missing).toEqual([]);
});

test('a section that no table lists is a fault of the page, and so is a row that leads nowhere', () => {
  expect(() => runbookGroups(`${PAGE}\n## PenstockNew\n`)).toThrow('no table lists PenstockNew');
  expect(() => runbookGroups(PAGE.replace('\n## PenstockStoreDown\n', '\n## Other\n'))).toThrow(
    'the table row of PenstockStoreDown leads nowhere',
  );
});

test('a search finds the runbooks that have every word, in one severity or in all', () => {
  expect(names(foundRunbooks(GROUPS, { search: 'pg_stat_activity LOCKS' }))).toEqual([
    'PenstockStorePoolFull',
  ]);
  expect(names(foundRunbooks(GROUPS, { search: 'breaking' }))).toEqual(['PenstockLinksFlapping']);
  expect(names(foundRunbooks(GROUPS, { search: 'hosts and engines', severity: 'page' }))).toEqual([
    'PenstockAgentWithoutRouter',
  ]);
  expect(names(foundRunbooks(GROUPS, { search: 'certificate', severity: 'page' }))).toContain(
    'PenstockCertificateExpires',
  );
  expect(foundRunbooks(GROUPS, { search: 'no such words' })).toEqual([]);
});

test('a runbook is found by its name in any case, as old addresses have it', () => {
  expect(runbookNamed(GROUPS, 'penstockstoredown')?.runbook.name).toBe('PenstockStoreDown');
  expect(runbookNamed(GROUPS, 'PenstockNowhere')).toBeNull();
});

test('alarms are found by their runbook', () => {
  const alarm = { kind: 'jobs_late', runbook: 'PenstockJobsLate' };
  const found = alarmsByRunbook([alarm, { kind: 'no_seller', runbook: null }] as never);
  expect(found.get('PenstockJobsLate')).toEqual([alarm]);
});

test('what is run has a button that copies it, and names and values have none', () => {
  const codes = new Set(
    [...PAGE.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, code = '']) =>
      code.replaceAll(/\s+/g, ' '),
    ),
  );
  const others = [...codes].filter((code) => code.includes(' ') && !isCommand(code));
  expect(others).toEqual([
    'request ended',
    'request refused',
    'processes: auto',
    'management request ended',
    'logLevel: debug',
  ]);
});

test('every runbook leads to a page of the dashboard, and no page is of another alert', () => {
  expect(Object.keys(RUNBOOK_PAGES).toSorted()).toEqual(names(GROUPS).toSorted());
  expect(Object.values(RUNBOOK_PAGES).every((pages) => pages.length > 0)).toBe(true);
  expect(isWatched('PenstockJobsLate')).toBe(true);
  expect(isWatched('PenstockStoreSlow')).toBe(false);
});

test('severities have the words of alarms, and the second one of an alert, too', () => {
  expect(severityInWords('page')).toBe('Urgent');
  expect(severityInWords('ticket')).toBe('Warning');
  expect(severityInWords('ticket, page above 30 s')).toBe('Warning, urgent above 30 s');
  const severities = GROUPS.flatMap(({ runbooks }) => runbooks.map(({ severity }) => severity));
  for (const severity of severities) {
    expect(severityInWords(severity)).toMatch(/^(?:Urgent|Warning)(?:, urgent .+)?$/);
  }
});

test('no command in a runbook has an ellipsis, because it is copied as it stands', () => {
  const commands = [...PAGE.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code).filter(isCommand);
  expect(commands.length).toBeGreaterThan(20);
  expect(commands.filter((command) => command.includes('…'))).toEqual([]);
});

test('of the alarms of a runbook, the one that was active last is told', () => {
  const runbook = 'PenstockModelWithoutWorker';
  const alarm = (kind: string, ended: string | null) => ({ kind, runbook, ended });
  const early = alarm('no_worker', '2026-01-01T00:00:00Z');
  const late = alarm('model_down', '2026-01-02T00:00:00Z');
  const active = alarm('no_worker', null);
  const other = { kind: 'host_lost', runbook: 'PenstockAgentDown', ended: null };
  expect(lastAlarmOf([early, late, other] as never, runbook)).toBe(late);
  expect(lastAlarmOf([late, active] as never, runbook)).toBe(active);
  expect(lastAlarmOf([other] as never, runbook)).toBeNull();
});
