import { ColourMark } from '../../parts/chart/colour-mark.tsx';
import { Badge } from '../../parts/shown.tsx';
import { type Ended, outcomeOf } from './outcome.ts';
import { lookOf, OUTCOME_LOOKS } from './outcome-looks.ts';

/**
 * How a request ended. The code of a refusal is its `error`. The mark has the colour of the outcome
 * that charts, legends and filters count it as.
 */
export function OutcomeBadge({ of }: { of: Ended }) {
  const { outcome, text } = outcomeOf(of);
  return (
    <Badge tone={lookOf(outcome, of.status).tone}>
      <ColourMark colour={OUTCOME_LOOKS[outcome].colour} />
      {text}
    </Badge>
  );
}
