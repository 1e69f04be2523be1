/** The spans up to now that figures are shown of. */
export const SPANS = {
  hour: { value: 'hour', name: '1 hour' },
  day: { value: 'day', name: '24 hours' },
  week: { value: 'week', name: '7 days' },
  month: { value: 'month', name: '30 days' },
} as const;
