/** The agents that are connected to a router, as its row in the store has them. */
import type { AgentId } from '../../../shared/ids.ts';

/** The row has the ids of at most this many. The others are only counted. */
export const AGENTS_MAX = 100;

export function writtenAgents(agents: readonly string[]): string {
  return JSON.stringify(agents.slice(0, AGENTS_MAX));
}

/** Returns null for what no router of this version has written. */
export function readAgents(text: string | null): readonly AgentId[] | null {
  if (text === null) return null;
  try {
    const ids: unknown = JSON.parse(text);
    const isRead = Array.isArray(ids) && ids.every((id) => typeof id === 'string');
    return isRead ? (ids.slice(0, AGENTS_MAX) as AgentId[]) : null;
  } catch {
    return null;
  }
}
