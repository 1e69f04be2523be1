/**
 * The steps of the histograms of times and speeds. A value that is read from one is within 4.9 per
 * cent of the true one, and two that follow each other are a factor of 1.104 apart, before they are
 * rounded to whole milliseconds, so that one step is no difference.
 */
export const STEPS_PER_DOUBLING = 7;
export const HISTOGRAM_GROWTH = 2 ** (1 / STEPS_PER_DOUBLING);
