/** Reads what the charts of the fleet, of a host and of a router mark. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ChangesTime, hostChangesQuery } from '../../../api/audit.ts';
import { agentEventsQuery, hostLossesQuery } from '../../../api/fleet.ts';
import { incidentsQuery } from '../../../api/incidents.ts';
import type { Mark } from '../../../parts/chart/series.ts';
import { useMarkedAlarms } from './marked-alarms.ts';
import {
  marksOfAlarms,
  marksOfChanges,
  marksOfHost,
  marksOfIncidents,
  marksOfLosses,
} from './marks.ts';

type Narrowed = Readonly<{ model?: string | undefined; region?: string | undefined }>;

/**
 * Incidents, alarms about the fleet, hosts that were lost, and what operators did to hosts in the time
 * of the charts.
 */
export function useFleetMarks(narrowed: Narrowed, time: ChangesTime): readonly Mark[] {
  const changes = useQuery(hostChangesQuery(time)).data ?? [];
  const losses = useQuery(hostLossesQuery(time)).data;
  const alarms = useMarkedAlarms(time);
  return [
    ...marksOfChanges(changes),
    ...marksOfLosses(losses ?? []),
    // The losses, if they are known, say which host was lost, and when it returned.
    ...marksOfAlarms(
      alarms.filter(({ page, kind }) => page === 'fleet' && !(losses && kind === 'host_lost')),
    ),
    ...useIncidentMarks(narrowed),
  ];
}

/** What happened to a host, as far as the list of its events is loaded. */
export function useHostMarks(agent: string): readonly Mark[] {
  return marksOfHost(useInfiniteQuery(agentEventsQuery(agent)).data ?? []);
}

export function useIncidentMarks(narrowed: Narrowed = {}): readonly Mark[] {
  return marksOfIncidents(useQuery(incidentsQuery).data?.data ?? [], narrowed);
}
