import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { creditQuery, organizationQuery } from '../../api/organization.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/class-names.ts';
import { Notice } from '../../parts/notice.tsx';
import { Money } from '../../parts/shown.tsx';
import { useMay, useOrganization, whoMay } from '../../session.tsx';
import { balanceOf } from './figures.ts';

/** Warns when credit is low, and says when requests are refused. */
export function BalanceNotice() {
  const id = useOrganization();
  const credit = useQuery(creditQuery(id)).data;
  const organization = useQuery(organizationQuery(id)).data;
  const mayBill = useMay('billing');
  if (!credit || !organization) return null;
  if (organization.status === 'suspended') {
    return (
      <Notice tone="bad" title="This organization is suspended">
        Its requests are rejected with status 401. Contact the platform operator.
      </Notice>
    );
  }
  const state = balanceOf(credit, organization.low_balance_threshold);
  if (state === 'fine') return null;
  return (
    <div
      role="status"
      className={cx(
        'flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl px-5 py-3 text-sm',
        state === 'empty' ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn',
      )}
    >
      <TriangleAlert className="size-4 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1 basis-56">
        {state === 'empty' ? (
          'The organization is out of credit. Requests are rejected with status 402 until credit is added.'
        ) : (
          <>
            Credit is low: <Money amount={credit.available} rounding="down" /> left. At zero,
            requests are rejected with status 402.
          </>
        )}
        {!mayBill && ` Only ${whoMay('billing')} can add credit.`}
      </p>
      <Button size="small" asChild>
        <Link to="/$organization/billing" params={{ organization: id }} search={{}}>
          {mayBill ? 'Add credit' : 'Go to billing'}
        </Link>
      </Button>
    </div>
  );
}
