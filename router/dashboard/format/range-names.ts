/** The spans up to now, as a choice among several names them. */
export const RANGE_NAMES = {
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '12mo': '12 months',
} as const;
