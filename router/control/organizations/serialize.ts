/** Formats organizations for the API. */
import type { Organization, OrganizationEntry } from '../../../shared/api/organizations.ts';
import { formatUsd } from '../../../shared/money.ts';
import { limitsOver } from '../../ledger/limits.ts';
import { instantOrNull, isoInstant, usdOrNull } from '../api.ts';
import { shownLimits } from '../limits.ts';
import type { ControlParts } from '../parts.ts';
import type { OrganizationEntry as Listed } from './list.ts';
import { movesFrom } from './moves.ts';
import type { ListedOrganization } from './procedures.ts';

type Shown = Pick<ControlParts, 'urls' | 'defaultLimits'>;

export function shownOrganization(
  { urls, defaultLimits }: Shown,
  organization: ListedOrganization,
): Organization {
  const { id, name, region, status, billing, creditLimit, members, lowBalanceThreshold } =
    organization;
  const { created, deleted } = organization;
  return {
    id,
    name,
    region,
    base_url: urls.baseUrl(region),
    moves: movesFrom(region).flatMap((to) => {
      const url = urls.baseUrl(to);
      return url === null ? [] : [{ region: to, base_url: url }];
    }),
    status,
    billing:
      billing === 'invoiced'
        ? {
            type: billing,
            credit_limit: formatUsd(creditLimit),
            payment_terms_days: organization.termsDays ?? 0,
          }
        : { type: billing },
    limits: shownLimits(organization.limits),
    limits_in_force: shownLimits(limitsOver(defaultLimits(), organization.limits)),
    low_balance_threshold: usdOrNull(lowBalanceThreshold),
    members,
    created: isoInstant(created),
    deleted: instantOrNull(deleted),
  };
}

export function shownEntry(parts: Shown, entry: Listed): OrganizationEntry {
  return {
    ...shownOrganization(parts, entry),
    balance: formatUsd(entry.balance),
    spend_30_days: formatUsd(entry.spent),
    last_request: instantOrNull(entry.lastRequest),
  };
}
