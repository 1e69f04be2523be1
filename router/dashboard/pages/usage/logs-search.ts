/** The address of the logs for what the usage page shows: the same time and the same filters. */
import { LOG_RANGES, type LogsSearch, type UsageSearch } from '../../search.ts';
import { USUAL_RANGE, type Span } from './span.ts';

export function logsSearchOf(
  { range, from, to, model, key, member, source, status }: UsageSearch,
  { start, end }: Pick<Span, 'start' | 'end'>,
): LogsSearch {
  const isOfDays = from !== undefined || to !== undefined;
  // Other ranges are longer than those of the logs.
  const same = isOfDays ? undefined : LOG_RANGES.find((one) => one === (range ?? USUAL_RANGE));
  const time = same === undefined ? { from: start, ...(end && { to: end }) } : { range: same };
  const filters = { model, key, member, source, status };
  const chosen = Object.entries(filters).filter(([, value]) => value !== undefined);
  return { ...time, ...Object.fromEntries(chosen) };
}
