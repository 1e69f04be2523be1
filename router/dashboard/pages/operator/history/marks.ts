/** What the charts of a history mark: incidents, alarms, and what happened to hosts. */
import type { AgentEvent, HostLoss } from '../../../../../shared/api/agents.ts';
import type { AuditEntry } from '../../../../../shared/api/audit.ts';
import type { Incident } from '../../../../../shared/api/incidents.ts';
import type { RecordedAlarm } from '../../../../../shared/api/platform.ts';
import type { Mark } from '../../../parts/chart/series.ts';
import { MINUTE_MS } from '../../../../../shared/durations.ts';
import type { HostAction } from '../../../../../shared/host-events.ts';
import { eventInWords, linkEndInWords, timeAway } from '../fleet/host-event-words.ts';

type Words = Readonly<{ label: string; tone: Mark['tone'] }>;

/** Actions that a chart does not mark have no words. */
const WORDS = {
  'agent.enrol': { label: 'Enrolled', tone: 'neutral' },
  'agent.drain': { label: 'Drained', tone: 'warn' },
  'agent.undrain': { label: 'Drain ended', tone: 'neutral' },
  'agent.revoke': { label: 'Revoked', tone: 'bad' },
  'worker.drain': { label: 'Drained', tone: 'warn' },
  'worker.undrain': { label: 'Drain ended', tone: 'neutral' },
  'agent.joined': { label: 'Connected', tone: 'neutral' },
  'agent.left': { label: 'Disconnected', tone: 'bad' },
  'agent.lost': { label: 'Lost', tone: 'bad' },
  'agent.returned': { label: 'Returned', tone: 'neutral' },
  'agent.started': { label: 'Agent started', tone: 'neutral' },
  'agent.stopping': { label: 'Stopping', tone: 'warn' },
  'worker.restarted': { label: 'Restarted', tone: 'warn' },
  'worker.breaker-opened': { label: 'Breaker open', tone: 'bad' },
  'worker.breaker-closed': { label: 'Breaker closed', tone: 'neutral' },
  'agent.note': { label: 'Note', tone: 'neutral' },
} as const satisfies Readonly<Record<string, Words>>;

function wordsOf(action: string): Words | undefined {
  return Object.hasOwn(WORDS, action) ? WORDS[action as keyof typeof WORDS] : undefined;
}

/** A link or an agent ends with these. They are no fault if the host was back at once. */
const ENDS: readonly string[] = ['agent.left', 'agent.stopping'] satisfies HostAction[];
const BACK_MS = MINUTE_MS;

export function marksOfHost(events: readonly AgentEvent[]): readonly Mark[] {
  const returns = returnsOf(events);
  return events.flatMap((event) => {
    const words = returns.get(event) ?? wordsOf(event.action);
    const of = event.worker === null ? '' : ` (${event.worker})`;
    return words ? [{ at: event.created, ...words, text: `${eventInWords(event)}${of}` }] : [];
  });
}

/**
 * Returns the words of those ends after which the host was connected again within a minute. Each
 * needs a connection of its own, because a host has a link to every router. An end that happened
 * several times in a minute keeps its words: such a link is not stable.
 */
function returnsOf(events: readonly AgentEvent[]): ReadonlyMap<AgentEvent, Words> {
  const ascending = events.toSorted((a, b) => Date.parse(a.created) - Date.parse(b.created));
  const used = new Set<string>();
  const found = new Map<AgentEvent, Words>();
  for (const end of ascending) {
    if (!ENDS.includes(end.action) || end.count > 1) continue;
    const join = ascending.find(
      (one) =>
        one.action === 'agent.joined' &&
        isSoonAfter(end, one) &&
        !used.has(`${end.action} ${one.id}`),
    );
    // The link that took the place of this one was there before.
    if (join === undefined && end.detail !== 'replaced') continue;
    if (join !== undefined) used.add(`${end.action} ${join.id}`);
    const isRestart = ascending.some(
      (one) => one.action === 'agent.started' && isSoonAfter(end, one),
    );
    found.set(end, { label: isRestart ? 'Restarted' : 'Reconnected', tone: 'neutral' });
  }
  return found;
}

/** An event that happened several times in a minute counts by the last time. */
function isSoonAfter(end: AgentEvent, { last }: AgentEvent): boolean {
  const ms = Date.parse(last) - Date.parse(end.created);
  return ms >= 0 && ms <= BACK_MS;
}

/** What operators did to hosts and workers. */
export function marksOfChanges(entries: readonly AuditEntry[]): readonly Mark[] {
  return entries.flatMap(({ action, created, summary }) => {
    const words = action === 'agent.note' ? undefined : wordsOf(action);
    return words ? [{ at: created, ...words, text: summary }] : [];
  });
}

/** Of all hosts, as the events of each host have them. */
export function marksOfLosses(losses: readonly HostLoss[]): readonly Mark[] {
  const { 'agent.lost': loss, 'agent.returned': back } = WORDS;
  return losses.flatMap(({ name, lost, reason, returned }) => [
    { at: lost, ...loss, text: `The host "${name}" was lost: ${linkEndInWords(reason)}` },
    ...(returned === null
      ? []
      : [
          {
            at: returned,
            ...back,
            text: `The host "${name}" returned after ${timeAway(lost, returned)}`,
          },
        ]),
  ]);
}

type Affected = Readonly<{ model?: string | undefined; region?: string | undefined }>;

/** Of the incidents that affect the model and the region; an incident without models affects all. */
export function marksOfIncidents(
  incidents: readonly Incident[],
  { model, region }: Affected = {},
): readonly Mark[] {
  const isAffected = (all: readonly string[], one: string | undefined) =>
    one === undefined || all.length === 0 || all.includes(one);
  return incidents
    .filter(({ models, regions }) => isAffected(models, model) && isAffected(regions, region))
    .flatMap(({ title, created, resolved }) => [
      { at: created, label: 'Incident', tone: 'bad' as const, text: `Incident: ${title}` },
      ...(resolved === null
        ? []
        : [
            {
              at: resolved,
              label: 'Resolved',
              tone: 'neutral' as const,
              text: `Resolved: ${title}`,
            },
          ]),
    ]);
}

/** What a chart marks of an alarm. */
export type MarkedAlarm = Pick<
  RecordedAlarm,
  'kind' | 'severity' | 'message' | 'page' | 'routers' | 'began' | 'ended'
>;

/** When alarms began, and when they ended. */
export function marksOfAlarms(alarms: readonly MarkedAlarm[]): readonly Mark[] {
  return alarms.flatMap(({ began, ended, severity, message }) => [
    {
      at: began,
      label: 'Alarm',
      tone: severity === 'urgent' ? ('bad' as const) : ('warn' as const),
      text: `Alarm: ${message}`,
    },
    ...(ended === null
      ? []
      : [
          {
            at: ended,
            label: 'Alarm over',
            tone: 'neutral' as const,
            text: `The alarm is over: ${message}`,
          },
        ]),
  ]);
}

/** Marks of one instant come from several lists, and have the same order each time. */
export function newestFirst(a: Mark, b: Mark): number {
  return b.at.localeCompare(a.at) || a.text.localeCompare(b.text);
}
