import { picoOf } from '../../format/usd.ts';

/** What a request is charged for whose client closed the connection. `cost`: what was charged. */
export function chargedAfterLeaving(cost: string): string {
  return picoOf(cost) === 0n
    ? 'Nothing was charged.'
    : 'The prompt, and what was generated until then, were charged.';
}
