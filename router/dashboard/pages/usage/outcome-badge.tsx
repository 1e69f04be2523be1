import { Badge } from '../../parts/shown.tsx';
import { type Ended, outcomeOf } from './outcome.ts';

/** How a request ended. The code of a refusal is its `error`. */
export function OutcomeBadge({ of }: { of: Ended }) {
  const { tone, text } = outcomeOf(of);
  return <Badge tone={tone}>{text}</Badge>;
}
