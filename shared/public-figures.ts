/** What visitors are told of models: the states, and of how much a figure is made. */
export const MODEL_STATES = ['operational', 'degraded', 'no_capacity', 'no_data'] as const;
/** The fewest requests that a figure is made of. */
export const FIGURE_REQUESTS_MIN = 20;
export const UPTIME_DAYS = 30;
