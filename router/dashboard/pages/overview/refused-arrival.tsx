/** A request that arrived before the first one that was admitted, and why it was refused. */
import type { RefusalEntry } from '../../../../shared/api/refusals.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { creditQuery } from '../../api/organization.ts';
import { useAwaitedWelcome } from '../../awaited-welcome.ts';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/form/button.tsx';
import { Badge } from '../../parts/shown.tsx';
import { useOrganization } from '../../session.tsx';
import { isUsedUp } from '../../shell/balance.ts';
import { useTooLittle } from '../../shell/use-too-little.ts';
import { Explained } from '../usage/explained.tsx';
import { type Explanation, explanationOf } from '../usage/explanations.ts';
import { OUTCOME_LOOKS } from '../usage/outcome-looks.ts';

/** What the client was told is no longer true, and would have the person pay for nothing. */
const SINCE_COVERED: Explanation = {
  cause: 'The credit did not cover the request when it arrived.',
  cure: 'The organization has credit now: send the request again.',
};

export default function RefusedArrival({ refusal }: { refusal: RefusalEntry }) {
  const { status, code, message, key_name: keyName } = refusal;
  const awaitsWelcome = useAwaitedWelcome() !== null;
  const organization = useOrganization();
  const credit = useQuery(creditQuery(organization)).data;
  const { isTooLittle } = useTooLittle(organization);
  const isCovered = code === 'insufficient_credit' && credit && !(isUsedUp(credit) || isTooLittle);
  const explanation = isCovered
    ? SINCE_COVERED
    : explanationOf(code, { awaitsWelcome, message, keyName });
  return (
    <>
      <p className="flex items-center gap-2">
        <Badge tone={OUTCOME_LOOKS.refused.tone}>{status}</Badge>A request arrived but was refused.
      </p>
      <div className="grid gap-3 wrap-anywhere">
        <Explained explanation={explanation} message={isCovered ? null : message} />
      </div>
      {explanation?.page && (
        <div>
          <Button asChild size="small">
            <Link to={PAGES[explanation.page].path} params={{ organization }}>
              Go to {PAGES[explanation.page].title}
            </Link>
          </Button>
        </div>
      )}
      <p className="text-muted">Waiting for the next request.</p>
    </>
  );
}
