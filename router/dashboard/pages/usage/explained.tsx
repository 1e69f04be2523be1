import { shownMessage } from '../../format/message.ts';
import { useZone } from '../../zone.ts';
import { ResendConfirmation } from '../people/resend-confirmation.tsx';
import type { Explanation } from './explanations.ts';

type ExplainedProps = Readonly<{
  explanation: Explanation | null;
  /** What the client was told. Null when it is not known. */
  message?: string | null;
}>;

/** Why a request ended as it did, what its client was told, and what helps. */
export function Explained({ explanation, message = null }: ExplainedProps) {
  const zone = useZone();
  return (
    <>
      {explanation && <p>{explanation.cause}</p>}
      {message !== null && (
        <p className="rounded-md bg-sunken px-3 py-2">
          <span className="text-muted">Error message: </span>
          {shownMessage(message, zone)}
        </p>
      )}
      {explanation && (
        <p>
          <span className="font-medium">What to do: </span>
          {explanation.cure}
        </p>
      )}
      {explanation?.resends && <ResendConfirmation />}
    </>
  );
}
