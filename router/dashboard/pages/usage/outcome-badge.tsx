import { ColourMark } from '../../parts/chart/colour-mark.tsx';
import { Badge } from '../../parts/shown.tsx';
import { type Ended, outcomeOf } from './outcome.ts';
import { lookOf } from './outcome-looks.ts';

/** How a request ended. The code of a refusal is its `error`. */
export function OutcomeBadge({ of }: { of: Ended }) {
  const { outcome, text } = outcomeOf(of);
  const { tone, colour } = lookOf(outcome, of.status);
  return (
    <Badge tone={tone}>
      <ColourMark colour={colour} />
      {text}
    </Badge>
  );
}
