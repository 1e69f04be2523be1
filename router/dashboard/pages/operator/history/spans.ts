import { RANGE_NAMES } from '../../../format/range-names.ts';

/** The spans up to now that figures are shown of. */
export const SPANS = {
  hour: { value: 'hour', name: RANGE_NAMES['1h'] },
  day: { value: 'day', name: RANGE_NAMES['24h'] },
  week: { value: 'week', name: RANGE_NAMES['7d'] },
  month: { value: 'month', name: RANGE_NAMES['30d'] },
} as const;
