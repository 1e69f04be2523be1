import { useQuery } from '@tanstack/react-query';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { summaryQuery } from '../../api/usage.ts';
import { useOrganization } from '../../session.tsx';
import type { Narrowing } from './address.ts';
import { previousPeriod } from './previous-period.ts';
import type { Span } from './span.ts';

/**
 * Returns the usage of the previous period, with the same filters; undefined while it is not known,
 * and when there was none.
 */
export function usePreviousPeriod(
  span: Span,
  narrowing: Narrowing,
  asOf: number,
): UsageSummary | undefined {
  const period = previousPeriod(span, asOf);
  const { start, end, bucket } = period ?? { ...span, end: span.start };
  const { data } = useQuery({
    ...summaryQuery(useOrganization(), { start, end, bucket, ...narrowing }),
    enabled: period !== null,
  });
  return data !== undefined && data.totals.requests > 0 ? data : undefined;
}
