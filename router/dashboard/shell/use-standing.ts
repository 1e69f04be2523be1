/** What there is to say of the credit of the shown organization, as far as it has been read. */
import { useQuery } from '@tanstack/react-query';
import { creditForecastQuery, creditQuery, organizationQuery } from '../api/organization.ts';
import { latestShortfallsQuery } from '../api/refusals.ts';
import { useAwaitedWelcome } from '../awaited-welcome.ts';
import { useOrganization } from '../session.tsx';
import { balanceOf, thresholdOf } from './balance.ts';
import { type Standing, standingOf } from './standing.ts';
import { useTooLittle } from './use-too-little.ts';

const AGAIN_MS = 60_000;
/** While credit is missing, it may be added in another tab or by somebody else. */
const AGAIN_SHORT_MS = 10_000;

type StandingRead = Readonly<{
  /** Null if there is nothing to say, and as long as nothing is known. */
  standing: Standing | null;
  available: string;
  /** Whether something that it depends on is being read for the first time. */
  isPending: boolean;
  /** Whether all that it depends on has been read; not if a read failed. */
  isComplete: boolean;
  isDeleted: boolean;
}>;

export function useStanding(): StandingRead {
  const id = useOrganization();
  const organization = useQuery({ ...organizationQuery(id), refetchInterval: AGAIN_MS });
  const threshold = organization.data ? thresholdOf(organization.data) : null;
  const forecast = useQuery(creditForecastQuery(id));
  const { isTooLittle, isPending } = useTooLittle(id);
  const known = { threshold, forecast: forecast.data, isTooLittle };
  const credit = useQuery({
    ...creditQuery(id),
    refetchInterval: ({ state: { data } }) =>
      data && balanceOf(data, known) !== 'fine' ? AGAIN_SHORT_MS : AGAIN_MS,
    refetchOnWindowFocus: 'always',
  });
  const balance = credit.data ? balanceOf(credit.data, known) : 'fine';
  const shortfalls = useQuery({
    ...latestShortfallsQuery(id),
    enabled: balance === 'low',
    refetchInterval: AGAIN_MS,
  });
  const isAwaited = useAwaitedWelcome() !== null;
  const reads = [organization, forecast, credit, ...(balance === 'low' ? [shortfalls] : [])];
  return {
    standing:
      credit.data && organization.data
        ? standingOf({
            status: organization.data.status,
            available: credit.data.available,
            balance,
            forecast: forecast.data,
            isAwaited,
            isRefusing: shortfalls.data?.areThere === true,
          })
        : null,
    available: credit.data?.available ?? '0',
    isPending: isPending || reads.some((read) => read.isPending),
    isComplete: !isPending && reads.every(({ data }) => data !== undefined),
    isDeleted: organization.data?.deleted != null,
  };
}
