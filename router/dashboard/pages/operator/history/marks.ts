/** What the charts of a history mark: incidents, alarms, and what happened to hosts. */
import type { AgentEvent } from '../../../../../shared/api/agents.ts';
import type { AuditEntry } from '../../../../../shared/api/audit.ts';
import type { Incident } from '../../../../../shared/api/incidents.ts';
import type { PlatformAlarm } from '../../../../../shared/api/platform.ts';
import type { Mark } from '../../../parts/series.ts';
import { eventInWords } from '../fleet/host-event-words.ts';

type Words = Readonly<{ label: string; tone: Mark['tone'] }>;

/** Actions that a chart does not mark have no words. */
const WORDS: Readonly<Record<string, Words>> = {
  'agent.enrol': { label: 'Enrolled', tone: 'neutral' },
  'agent.drain': { label: 'Drained', tone: 'warn' },
  'agent.undrain': { label: 'Drain ended', tone: 'neutral' },
  'agent.revoke': { label: 'Revoked', tone: 'bad' },
  'worker.drain': { label: 'Drained', tone: 'warn' },
  'worker.undrain': { label: 'Drain ended', tone: 'neutral' },
  'agent.joined': { label: 'Connected', tone: 'neutral' },
  'agent.left': { label: 'Disconnected', tone: 'bad' },
  'agent.started': { label: 'Agent started', tone: 'neutral' },
  'agent.stopping': { label: 'Stopping', tone: 'warn' },
  'worker.restarted': { label: 'Restarted', tone: 'warn' },
  'worker.breaker-opened': { label: 'Breaker open', tone: 'bad' },
  'worker.breaker-closed': { label: 'Breaker closed', tone: 'neutral' },
  'agent.note': { label: 'Note', tone: 'neutral' },
};

function wordsOf(action: string): Words | undefined {
  return Object.hasOwn(WORDS, action) ? WORDS[action] : undefined;
}

export function marksOfHost(events: readonly AgentEvent[]): readonly Mark[] {
  return events.flatMap((event) => {
    const words = wordsOf(event.action);
    const of = event.worker === null ? '' : ` (${event.worker})`;
    return words ? [{ at: event.created, ...words, text: `${eventInWords(event)}${of}` }] : [];
  });
}

/** What operators did to hosts and workers. */
export function marksOfChanges(entries: readonly AuditEntry[]): readonly Mark[] {
  return entries.flatMap(({ action, created, summary }) => {
    const words = action === 'agent.note' ? undefined : wordsOf(action);
    return words ? [{ at: created, ...words, text: summary }] : [];
  });
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

/** Since when active alarms hold. */
export function marksOfAlarms(alarms: readonly PlatformAlarm[]): readonly Mark[] {
  return alarms.flatMap(({ since, severity, message }) =>
    since === undefined || since === null
      ? []
      : [
          {
            at: since,
            label: 'Alarm',
            tone: severity === 'urgent' ? ('bad' as const) : ('warn' as const),
            text: `Alarm: ${message}`,
          },
        ],
  );
}
