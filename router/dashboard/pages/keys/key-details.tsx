/** What a key is, what it may do, and what it has spent. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Key } from '../../../../shared/api/keys.ts';
import { organizationQuery } from '../../api/organization.ts';
import { shownCount, shownShare } from '../../format/count.ts';
import { shareOf } from '../../format/usd.ts';
import { PAGES } from '../../pages.ts';
import { Button } from '../../parts/form/button.tsx';
import { Id } from '../../parts/id.tsx';
import { Meter } from '../../parts/meter.tsx';
import { ModelId } from '../../parts/model-id.tsx';
import { Fact, Facts, Panel, Stat } from '../../parts/page.tsx';
import { Money, When } from '../../parts/shown.tsx';
import { useMaySee, useOrganization } from '../../session.tsx';
import { withoutUse, withoutUseNote } from './last-use.ts';
import { creatorOf, revokerOf } from './states.ts';

type RowProps = Readonly<{ row: Key }>;

/** `isUseAwaited`: the page asks again for the last use. */
type FiguresProps = RowProps & Readonly<{ isUseAwaited: boolean }>;

export function KeyFigures({ row, isUseAwaited }: FiguresProps) {
  const { spend, daily_cap, monthly_cap, last_used } = row;
  return (
    <section aria-label="Figures" className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <Stat label="Spend today (UTC)" note={<CapNote cap={daily_cap} spent={spend.today} />}>
        <Money amount={spend.today} />
      </Stat>
      <Stat label="This month (UTC)" note={<CapNote cap={monthly_cap} spent={spend.month} />}>
        <Money amount={spend.month} />
      </Stat>
      <Stat label="Total spend" note="Since the key was created">
        <Money amount={spend.total} />
      </Stat>
      <Stat
        label="Last used"
        note={last_used === null ? withoutUseNote(row, isUseAwaited) : <When at={last_used} />}
      >
        <When at={last_used} relative never={withoutUse(row, isUseAwaited)} />
      </Stat>
    </section>
  );
}

function CapNote({ cap, spent }: Readonly<{ cap: string | null; spent: string }>) {
  if (cap === null) return 'No cap';
  const share = shareOf(spent, cap);
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <Meter share={share} />
      <span>
        {shownShare(share)} of <Money amount={cap} />
      </span>
    </span>
  );
}

export function KeyDetails({ row }: RowProps) {
  const revoker = revokerOf(row);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
      <Panel title="Key" actions={<Changes id={row.id} />}>
        <Facts>
          <Fact name="Key ID">
            <Id id={row.id} what="the key ID" />
          </Fact>
          <Fact name="Created by">{creatorOf(row).name}</Fact>
          <Fact name="Created">
            <When at={row.created} />
          </Fact>
          {row.revoked != null && (
            <Fact name="Revoked">
              <When at={row.revoked} />
              {revoker && <span className="text-muted"> by {revoker.by}</span>}
            </Fact>
          )}
          <Fact name={row.state === 'expired' ? 'Expired' : 'Expires'}>
            <When at={row.expires} />
          </Fact>
        </Facts>
      </Panel>
      <Panel title="Limits">
        <Limits row={row} />
      </Panel>
    </div>
  );
}

/** Leads to what was changed about the key, for those who may see the audit log. */
function Changes({ id }: { id: string }) {
  const organization = useOrganization();
  const maySee = useMaySee();
  if (!maySee(PAGES.audit.needs)) return null;
  return (
    <Button asChild size="small">
      <Link to={PAGES.audit.path} params={{ organization }} search={{ target: id }}>
        Changes
      </Link>
    </Button>
  );
}

function Limits({ row: { limits, monthly_cap, daily_cap, allowed_models = null } }: RowProps) {
  const organization = useQuery(organizationQuery(useOrganization()));
  const common = organization.data?.limits_in_force;
  return (
    <Facts>
      <Fact name="Models">
        <Models allowed={allowed_models} />
      </Fact>
      <Fact name="Monthly cap">
        <Cap amount={monthly_cap} />
      </Fact>
      <Fact name="Daily cap">
        <Cap amount={daily_cap} />
      </Fact>
      <Fact name="Requests per minute">
        <Limit own={limits.requests_per_minute} common={common?.requests_per_minute} />
      </Fact>
      <Fact name="Tokens per minute">
        <Limit own={limits.tokens_per_minute} common={common?.tokens_per_minute} />
      </Fact>
      <Fact name="Concurrent requests">
        <Limit own={limits.concurrent_requests} common={common?.concurrent_requests} />
      </Fact>
    </Facts>
  );
}

function Models({ allowed }: { allowed: readonly string[] | null }) {
  if (allowed === null) return 'All models';
  return (
    <ul className="grid max-h-48 gap-1 overflow-y-auto font-mono text-xs leading-5">
      {allowed.map((id) => (
        <li key={id}>
          <ModelId id={id} />
        </li>
      ))}
    </ul>
  );
}

function Cap({ amount }: { amount: string | null }) {
  return amount === null ? 'No cap' : <Money amount={amount} />;
}

/** `common`: the limit of the organization. Undefined while it is not known. */
type LimitProps = Readonly<{ own: number | null; common: number | null | undefined }>;

function Limit({ own, common }: LimitProps) {
  if (own !== null) return shownCount(own);
  if (common === undefined) return "The organization's limit";
  if (common === null) return 'No limit';
  return (
    <>
      {shownCount(common)} <span className="text-muted">for all keys of the organization</span>
    </>
  );
}
