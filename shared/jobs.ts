/** How much of background jobs is kept, counted and tried again. */

/** The most attempts of a job or of a delivery that are kept: as many as a job has. */
export const ATTEMPTS_KEPT_MAX = 12;
/** The most jobs of a state that are counted. */
export const JOBS_COUNTED_MAX = 1_000;
/** The most jobs that one call tries again. */
export const JOBS_RETRIED_MAX = 100;
