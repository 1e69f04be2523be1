/** The failed requests of a time that a host had last. */
import { useQuery } from '@tanstack/react-query';
import type { PlatformFailure } from '../../../../../shared/api/platform.ts';
import { lastFailuresQuery } from '../../../api/platform.ts';
import { useAsOf } from '../../usage/use-as-of.ts';

export type FailedOnHost = Readonly<{
  /** The latest first. There may be more that are not listed. */
  failures: readonly PlatformFailure[];
  /** Whether it is known that there are none. */
  areNone: boolean;
}>;

type Failures = Readonly<{
  /** Of all hosts, the latest first. */
  data: readonly PlatformFailure[];
  has_more: boolean;
}>;

/** Those of the last `ms`. */
export function useFailedOnHost(agent: string, ms: number): FailedOnHost {
  const { data } = useQuery(lastFailuresQuery);
  const [asOf] = useAsOf();
  return data ? failedOnHost(agent, data, asOf - ms) : { failures: [], areNone: false };
}

/** `since`: in ms since the epoch. */
export function failedOnHost(
  agent: string,
  { data, has_more: hasMore }: Failures,
  since: number,
): FailedOnHost {
  const recent = data.filter(({ created }) => Date.parse(created) > since);
  const failures = recent.filter((failure) => failure.agent === agent);
  const areAllListed = recent.length < data.length || !hasMore;
  return { failures, areNone: areAllListed && failures.length === 0 };
}
