/** A request that arrived before the first one that was admitted, and why it was refused. */
import type { RefusalEntry } from '../../../../shared/api/refusals.ts';
import { Badge } from '../../parts/shown.tsx';
import { useWelcomeCredit } from '../../session.tsx';
import { Explained } from '../usage/explained.tsx';
import { explanationOf } from '../usage/explanations.ts';

export default function RefusedArrival({ refusal }: { refusal: RefusalEntry }) {
  const { status, code, message, key_name: keyName } = refusal;
  const awaitsWelcome = useWelcomeCredit() !== null;
  const explanation = explanationOf(code, { awaitsWelcome, message, keyName });
  return (
    <>
      <p className="flex items-center gap-2">
        <Badge tone="bad">{status}</Badge>A request arrived but was refused.
      </p>
      <div className="grid gap-3 wrap-anywhere">
        <Explained explanation={explanation} message={message} />
      </div>
      <p className="text-muted">Waiting for the next request.</p>
    </>
  );
}
