/** The host report: tokens and revenue of hosts, by day (one on each page), or of a whole period. */
import { z } from 'zod';
import {
  type HostReportEntry,
  HostReportPage,
  HostReportQuery,
} from '../../../shared/api/agents.ts';
import { AgentIdText } from '../../../shared/api/ids.ts';
import type { AgentId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { type HostSum, sumHostDays } from '../../usage/host-report.ts';
import { type Api, found, Refused } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { nameAgents } from './procedures.ts';

export type HostReportParts = Pick<ControlParts, 'store' | 'clock'>;

const DAYS_MAX = 366;

const AgentPath = z.object({ agent: AgentIdText });

export function hostReportRoutes(api: Api, parts: HostReportParts): void {
  const schema = {
    summary: 'Get tokens and revenue by day, agent and model',
    tags: ['agents'],
    querystring: HostReportQuery,
    response: { 200: HostReportPage },
  };
  const config = { access: 'operator' } as const;

  api.get('/agents/report', { config, schema }, async ({ query }) => report(parts, null, query));

  api.get(
    '/agents/:agent/report',
    {
      config,
      schema: {
        ...schema,
        summary: 'Get tokens and revenue of one agent, by day and model',
        params: AgentPath,
      },
    },
    async ({ params: { agent }, query }) => {
      const names = await parts.store.call(nameAgents, [agent]);
      found(names.get(agent), 'agent');
      return report(parts, agent, query);
    },
  );
}

/** Returns the sums of the whole period, or the first day of it, after `after`, that has any data. */
async function report(
  { store, clock }: HostReportParts,
  agent: AgentId | null,
  query: z.output<typeof HostReportQuery>,
): Promise<z.output<typeof HostReportPage>> {
  const { first, last } = periodOf(query, clock.now());
  if (query.sum === 'period') {
    const days = (last - first) / DAY_MS + 1;
    const sums = await sumHostDays(store, { agent, day: first, days });
    return { data: await named(store, first, sums), has_more: false, next: null };
  }
  for (let day = first; day <= last; day += DAY_MS) {
    const sums = await sumHostDays(store, { agent, day });
    if (sums.length === 0) continue;
    const more = day < last;
    return {
      data: await named(store, day, sums),
      has_more: more,
      next: more ? dateOf(day) : null,
    };
  }
  return { data: [], has_more: false, next: null };
}

async function named(
  store: HostReportParts['store'],
  day: number,
  sums: readonly HostSum[],
): Promise<HostReportEntry[]> {
  const agents = sums.flatMap((sum) => (sum.agent === null ? [] : [sum.agent]));
  const names = await store.call(nameAgents, [...new Set(agents)]);
  return sums.map((sum) => shown(dateOf(day), sum, names));
}

function periodOf({ from, to, after }: z.output<typeof HostReportQuery>, now: number) {
  const today = now - (now % DAY_MS);
  const last = to === undefined ? today : Date.parse(to);
  const first =
    from === undefined ? Date.parse(`${dateOf(last).slice(0, 7)}-01`) : Date.parse(from);
  if (first > last) throw new Refused('invalid_value', 'from is after to.', 'from');
  if (last - first >= DAYS_MAX * DAY_MS) {
    throw new Refused('invalid_value', `A report spans at most ${DAYS_MAX} days.`, 'from');
  }
  return { first: after === undefined ? first : Math.max(first, Date.parse(after) + DAY_MS), last };
}

function dateOf(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}

function shown(day: string, sum: HostSum, names: ReadonlyMap<AgentId, string>): HostReportEntry {
  const name = sum.agent === null ? null : (names.get(sum.agent) ?? null);
  return { ...sum, day, agent_name: name, revenue: formatUsd(sum.revenue) };
}
