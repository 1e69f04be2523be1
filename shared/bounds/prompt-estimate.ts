/**
 * The prompt tokens that each request is estimated to have beyond its text, so no request is
 * estimated to have fewer.
 */
export const PROMPT_ESTIMATE_LEAST = 64;
