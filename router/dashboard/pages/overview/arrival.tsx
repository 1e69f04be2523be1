import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { RefusalEntry } from '../../../../shared/api/refusals.ts';
import type { UsageEntry } from '../../../../shared/api/usage.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { Badge, Money } from '../../parts/shown.tsx';
import { PAGES } from '../../pages.ts';
import { useMay, useOrganization } from '../../session.tsx';
import { useHasPage } from '../keys/use-has-page.ts';
import { chargedAfterLeaving } from '../usage/charged.ts';
import { isFailure, lookOf, outcomeOfStatus } from '../usage/outcome-looks.ts';

/** The explanations of all refusals, which few first visits need. */
const RefusedArrival = lazy(() => import('./refused-arrival.tsx'));

type ArrivalProps = Readonly<{
  /** Null until a request has arrived. */
  request: UsageEntry | null;
  /** The newest request that was refused before it was admitted. */
  refusal: RefusalEntry | null;
  error: Error | null;
  onDone: () => void;
}>;

/** Waits for the first request, and shows it once it has arrived. */
export function Arrival({ request, refusal, error, onDone }: ArrivalProps) {
  const isDone = request !== null && isSuccess(request);
  return (
    <>
      <div role="status" className="grid gap-3">
        {request !== null ? (
          <Arrived request={request} />
        ) : refusal !== null ? (
          <Suspense>
            <RefusedArrival refusal={refusal} />
          </Suspense>
        ) : (
          <Waiting />
        )}
      </div>
      {request === null && refusal !== null && (
        <div>
          <SeeRequest id={refusal.request_id} />
        </div>
      )}
      {request === null && <Fault error={error} />}
      {request !== null && (
        <div className="flex flex-wrap gap-2">
          <Button look={isDone ? 'primary' : 'secondary'} onClick={onDone}>
            Go to overview
          </Button>
          <SeeRequest id={request.request_id} />
        </div>
      )}
      {isDone && <NextSteps keyId={request.key_id} />}
    </>
  );
}

/** What people do after the first request, as far as their role allows it. */
function NextSteps({ keyId }: { keyId: string }) {
  const organization = useOrganization();
  const [mayInvite, mayCap, mayPay] = [useMay('members'), useMay('keys'), useMay('billing')];
  const hasPage = useHasPage(keyId);
  if (!mayInvite && !mayCap && !mayPay) return null;
  return (
    <div className="border-t pt-3">
      <ul className="flex flex-wrap gap-x-5 gap-y-1.5" aria-label="Next steps">
        {mayInvite && (
          <li>
            <Link to={PAGES.members.path} params={{ organization }} className={STEP}>
              Invite members
            </Link>
          </li>
        )}
        {mayCap && (
          <li>
            {hasPage ? (
              <Link to={PAGES.key.path} params={{ organization, key: keyId }} className={STEP}>
                Set a spend cap
              </Link>
            ) : (
              <Link to={PAGES.keys.path} params={{ organization }} className={STEP}>
                Set a spend cap
              </Link>
            )}
          </li>
        )}
        {mayPay && (
          <li>
            <Link to={PAGES.billing.path} params={{ organization }} className={STEP}>
              Add credit
            </Link>
          </li>
        )}
      </ul>
    </div>
  );
}

const STEP = 'underline decoration-line-strong underline-offset-2 hover:decoration-ink';

function Waiting() {
  return (
    <p className="flex items-center gap-2.5">
      <span className="size-2 animate-pulse rounded-full bg-accent" aria-hidden />
      Waiting for the first request
    </p>
  );
}

export function isSuccess({ status }: UsageEntry): boolean {
  return outcomeOfStatus(status) === 'succeeded';
}

const ARRIVED: Readonly<Record<ReturnType<typeof outcomeOfStatus>, string>> = {
  succeeded: 'The first request has arrived.',
  canceled: 'A request arrived. Its client closed the connection before it had the whole response.',
  failed: 'A request arrived but failed.',
};

function Arrived({ request }: { request: UsageEntry }) {
  const { model, status, error, cost } = request;
  const outcome = outcomeOfStatus(status);
  return (
    <>
      <p className="flex items-center gap-2">
        <Badge tone={lookOf(outcome, status).tone}>{status}</Badge>
        {ARRIVED[outcome]}
      </p>
      <Facts>
        <Fact name="Model">{model}</Fact>
        {isFailure(outcome) && error !== null && <Fact name="Error">{error}</Fact>}
        <Fact name="Cost">
          <Money amount={cost} exact />
          {outcome === 'canceled' && ` ${chargedAfterLeaving(cost)}`}
        </Fact>
      </Facts>
    </>
  );
}

function SeeRequest({ id }: { id: string }) {
  const organization = useOrganization();
  return (
    <Button asChild>
      <Link to="/$organization/logs/$request" params={{ organization, request: id }}>
        View request
      </Link>
    </Button>
  );
}
