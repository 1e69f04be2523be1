/** What visitors are told of models: the states, and of how much a figure is made. */
export const MODEL_STATES = ['operational', 'degraded', 'no_capacity', 'no_data'] as const;
/** The fewest requests that a figure is made of. */
export const FIGURE_REQUESTS_MIN = 20;
export const UPTIME_DAYS = 30;
/** Visitors are shown a day with a smaller uptime in another colour, and an hour as an outage. */
export const GOOD_UPTIME = 0.999;
/** The most outages of a model in a region that visitors are told of. */
export const OUTAGES_MAX = 60;
/** The times over which figures are measured: 60 minutes, 24 hours and 30 days. */
export const FIGURE_SPANS = ['hour', 'day', 'month'] as const;
export type FigureSpan = (typeof FIGURE_SPANS)[number];
