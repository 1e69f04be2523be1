/** How much of background jobs is kept and counted. */

/** The most attempts of a job or of a delivery that are kept: as many as a job has. */
export const ATTEMPTS_KEPT_MAX = 12;
/** The most jobs of a state that are counted. */
export const JOBS_COUNTED_MAX = 1_000;
