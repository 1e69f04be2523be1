/** A page of an organization below the notice about its credit. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { creditForecastQuery, creditQuery, organizationQuery } from '../api/organization.ts';
import { after } from '../clock.ts';
import { cx } from '../parts/class-names.ts';
import { useOrganization } from '../session.tsx';
import { BalanceNotice } from './balance-notice.tsx';

/** The longest that a page stays unseen because the notice is not known. */
const WAIT_MS = 500;

/**
 * Shows the page together with the notice, which would move it if it came later. The page loads its
 * own data meanwhile.
 */
export function WithBalanceNotice({ children }: { children: ReactNode }) {
  const id = useOrganization();
  const queries = [
    useQuery(creditQuery(id)),
    useQuery(organizationQuery(id)),
    useQuery(creditForecastQuery(id)),
  ];
  const [isLate, setLate] = useState(false);
  useEffect(() => after(WAIT_MS, () => setLate(true)), []);
  const isShown = isLate || queries.every(({ isPending }) => !isPending);
  return (
    <div className={cx('flex min-w-0 flex-1 flex-col', !isShown && 'opacity-0')}>
      <BalanceNotice />
      {children}
    </div>
  );
}
