/** The most holds that one batch frees, so that a large sweep does not keep admissions waiting. */
export const SWEEP_HOLDS_MAX = 500;
