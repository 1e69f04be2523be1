import type { FoundRequest } from '../../../../shared/api/refusals.ts';
import { Id } from '../../parts/id.tsx';
import { ModelId } from '../../parts/model-id.tsx';
import { type Ended, refusedAs } from './outcome.ts';
import { OutcomeBadge } from './outcome-badge.tsx';

/** Under the title of a request: how it ended, its ID and its model. */
export function RequestHeading({ usage, refusal }: FoundRequest) {
  if (usage !== null) {
    return <Heading of={usage} {...usage} />;
  }
  if (refusal === null) return null;
  return <Heading of={refusedAs(refusal)} {...refusal} />;
}

type HeadingProps = Readonly<{
  of: Ended;
  request_id: string;
  /** Null when the request was refused before its model was read. */
  model: string | null;
}>;

function Heading({ of, request_id: id, model }: HeadingProps) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <OutcomeBadge of={of} />
      <Id id={id} what="the request ID" />
      {model !== null && (
        <span>
          <ModelId id={model} />
        </span>
      )}
    </span>
  );
}

/** Under the heading of the panel with the facts of a request. */
export const WHAT_IS_STORED = 'Prompts and responses are never stored.';
