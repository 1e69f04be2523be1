/** The parts of a price, in the order in which they are shown. */
export const PRICE_PARTS = {
  prompt: 'Prompt',
  input_cache_read: 'Prompt, cached',
  completion: 'Completion',
} as const;

export const PRICE_PART_NAMES = Object.keys(PRICE_PARTS) as (keyof typeof PRICE_PARTS)[];
