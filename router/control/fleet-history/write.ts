/**
 * Serializes the history of the fleet in the store's thread, so that the router's main thread
 * neither copies nor reads its thousands of figures.
 */
import type { FleetHistory } from '../../../shared/api/fleet-history.ts';
import { LEVELS } from '../../history/levels.ts';
import { type HistoryQuery, readHistory } from '../../history/read.ts';
import { readProcedure } from '../../store/procedure.ts';
import { nameAgents } from '../agents/procedures.ts';

/** `isOfTotals`: the answer has no figures of buckets. */
export type WrittenHistory = HistoryQuery & Readonly<{ isOfTotals?: boolean }>;

export const writeFleetHistory = readProcedure<WrittenHistory, Uint8Array<ArrayBuffer>>(
  'writeFleetHistory',
  { heavy: true },
  async (db, query) => {
    const { groups, omitted } = await readHistory(db, query);
    const agents = groups.flatMap(({ agent }) => (agent === null ? [] : [agent]));
    const names = await nameAgents.run(db, [...new Set(agents)]);
    const { lengthMs } = LEVELS[query.level];
    const instant = (ordinal: number) => new Date(ordinal * lengthMs).toISOString();
    const shown: FleetHistory = {
      start: instant(query.from),
      end: new Date(query.end).toISOString(),
      bucket_seconds: (query.step * lengthMs) / 1_000,
      groups: groups.map(({ points, ...group }) => ({
        ...group,
        agent_name: group.agent && (names.get(group.agent) ?? null),
        points: (query.isOfTotals ? [] : points).map(({ bucket, ...figures }) => ({
          at: instant(query.from + bucket * query.step),
          ...figures,
        })),
      })),
      omitted,
    };
    return new TextEncoder().encode(JSON.stringify(shown));
  },
);
