/** Incidents: the open ones, for everybody who is signed in, and all of them, for operators. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { OpenIncidents, WrittenIncidents } from '../../../shared/api/incidents.ts';
import { get } from './client.ts';

export const INCIDENTS = ['incidents'] as const;

const AGAIN_MS = 60_000;

export const openIncidentsQuery = queryOptions({
  queryKey: [...INCIDENTS, 'open'],
  queryFn: ({ signal }) => get<z.infer<typeof OpenIncidents>>('/incidents/open', {}, signal),
  staleTime: AGAIN_MS / 2,
  refetchInterval: AGAIN_MS,
});

export const incidentsQuery = queryOptions({
  queryKey: [...INCIDENTS, 'written'],
  queryFn: ({ signal }) => get<z.infer<typeof WrittenIncidents>>('/incidents', {}, signal),
  refetchInterval: AGAIN_MS,
});
