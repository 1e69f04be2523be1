/** The most buckets of one summary of usage. */
export const SUMMARY_BUCKETS_MAX = 1_500;
/** The most buckets times groups of one summary, counting the group of the others. */
export const SUMMARY_FIGURES_MAX = 3_000;
