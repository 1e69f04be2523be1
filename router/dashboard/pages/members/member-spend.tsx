import { Link } from '@tanstack/react-router';
import { picoOf } from '../../format/usd.ts';
import { PAGES } from '../../pages.ts';
import { Dash, Money } from '../../parts/shown.tsx';
import { useOrganization } from '../../session.tsx';
import type { MonthSpend } from './use-spend.ts';

type SpendProps = Readonly<{
  member: string;
  /** Undefined while it is loading. */
  spend: MonthSpend | undefined;
}>;

/** A link to the usage of the member in this month. */
export function MemberSpend({ member, spend }: SpendProps) {
  const organization = useOrganization();
  const spent = spend?.of(member);
  if (!spend || !spent) return <Dash />;
  if (picoOf(spent) === 0n) return <Money amount={spent} />;
  return (
    <Link
      to={PAGES.usage.path}
      params={{ organization }}
      search={{ member, group: 'model', from: spend.from }}
      className="underline decoration-line-strong underline-offset-2 hover:decoration-ink"
    >
      <Money amount={spent} />
    </Link>
  );
}
