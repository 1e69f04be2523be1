/** The attempts of a delivery, each with the answer of the server. */
import type { DeliveryAttempt } from '../../../../shared/api/webhooks.ts';
import { shownCount } from '../../format/count.ts';
import { Badge, When } from '../../parts/shown.tsx';
import { attemptOutcome, attemptState } from './words.ts';

export function Attempts({ log }: { log: readonly DeliveryAttempt[] }) {
  if (log.length === 0) return <p className="text-sm text-muted">Not sent yet.</p>;
  return (
    <ol className="grid grid-cols-[minmax(0,1fr)] gap-4" aria-label="Attempts">
      {log.map((attempt, index) => (
        // An attempt has no id, and the list grows at its start.
        <Attempt key={log.length - index} attempt={attempt} />
      ))}
    </ol>
  );
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { ended, duration_ms: duration, status, answer } = attempt;
  const { tone, name } = attemptState(attempt);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{name}</Badge>
        <span>{attemptOutcome(attempt)}</span>
        <span className="text-muted">
          <When at={ended} precision="seconds" />
          {duration !== null && ` · ${shownCount(duration)} ms`}
        </span>
      </div>
      {status !== null && <Answer text={answer} />}
    </li>
  );
}

/** The text is of a stranger, so it is shown as it is. */
function Answer({ text }: { text: string | null }) {
  if (text === null) return <p className="text-xs text-muted">The response is no longer kept.</p>;
  if (text === '') return <p className="text-xs text-muted">The response had no body.</p>;
  return (
    <pre
      tabIndex={0}
      aria-label="Response body"
      className="max-h-40 overflow-auto rounded-lg border bg-sunken p-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere"
    >
      {text}
    </pre>
  );
}
