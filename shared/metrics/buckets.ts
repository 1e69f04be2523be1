/**
 * Upper bounds of the buckets for the latency of requests, in seconds. Router and agent use the
 * same, so that one query compares them. prom-client cannot make native histograms, which need no
 * bounds.
 */
export const FIRST_TOKEN_SECONDS = [
  0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 5, 7.5,
  10, 15, 20, 30, 45, 60, 120,
];
export const INTER_TOKEN_SECONDS = [
  0.001, 0.0025, 0.005, 0.0075, 0.01, 0.0125, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.075, 0.1,
  0.15, 0.2, 0.3, 0.5, 1, 2.5,
];
export const DURATION_SECONDS = [
  0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1800,
];
