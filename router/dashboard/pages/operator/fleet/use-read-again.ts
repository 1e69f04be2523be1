import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Agent } from '../../../../../shared/api/agents.ts';
import { AGENTS } from '../../../api/fleet.ts';

/**
 * Reads the events of a host, and what is last known of it, as soon as it connects or goes away. They
 * are otherwise read more seldom than its status, which they would contradict for some seconds.
 */
export function useReadAgain(agent: Agent | undefined): void {
  const queries = useQueryClient();
  const id = agent?.id;
  const standing = agent && `${agent.connected} ${agent.absence?.reason} ${agent.absence?.since}`;
  const before = useRef(standing);
  useEffect(() => {
    if (before.current !== undefined && before.current !== standing) {
      void queries.invalidateQueries({ queryKey: [...AGENTS, id] });
    }
    before.current = standing;
  }, [queries, id, standing]);
}
