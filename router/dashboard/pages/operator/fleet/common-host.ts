/** The host that most of the failed requests of a time were on. */
import { useQuery } from '@tanstack/react-query';
import type { PlatformFailure } from '../../../../../shared/api/platform.ts';
import { lastFailuresQuery } from '../../../api/platform.ts';
import { useAsOf } from '../../usage/use-as-of.ts';

export type CommonHost = Readonly<{
  agent: string;
  name: string;
  /** Whether all of them were on it, and not only most. */
  isEvery: boolean;
}>;

type Failures = Readonly<{
  /** The latest first. */
  data: readonly Pick<PlatformFailure, 'agent' | 'agent_name' | 'created'>[];
  has_more: boolean;
}>;

/**
 * Null while the failed requests are not known, and if no host had more than half of those of the last
 * `ms`.
 */
export function useCommonHost(ms: number): CommonHost | null {
  const { data } = useQuery(lastFailuresQuery);
  const [asOf] = useAsOf();
  return data ? commonHost(data, asOf - ms) : null;
}

/** `since`: in ms since the epoch. */
export function commonHost(
  { data, has_more: hasMore }: Failures,
  since: number,
): CommonHost | null {
  const recent = data.filter(({ created }) => Date.parse(created) > since);
  const byHost = Map.groupBy(recent, ({ agent }) => agent);
  for (const [agent, own] of byHost) {
    if (agent === null || 2 * own.length <= recent.length) continue;
    const areAllListed = recent.length < data.length || !hasMore;
    const isEvery = areAllListed && own.length === recent.length;
    return { agent, name: own[0]?.agent_name ?? agent, isEvery };
  }
  return null;
}
