/** What the data plane knows of a key, built from its rows and those of its organization. */
import { picoUsd } from '../../shared/money.ts';
import type { AccountRow, KeyRow, OrganizationRow, PriceRow } from '../store/schema/ledger.ts';
import { modelsOf } from './allowed-models.ts';
import type { KeyRecord, OperationOf, Outcome } from './operations.ts';
import { type LimitColumns, limitsOf } from './limits.ts';
import { meterOf, standingsOf } from './rules/limits.ts';
import { spentInDay } from './rules/spent.ts';
import type { UnitOfWork } from './unit-of-work.ts';

type OrganizationLimits = {
  [Name in keyof LimitColumns as `organization_${Name}`]: LimitColumns[Name];
};

export type KeyAndOrganization = KeyRow &
  Pick<OrganizationRow, 'region' | 'status'> &
  Pick<AccountRow, 'auth_epoch'> &
  OrganizationLimits;

/** The columns that both dialects select, from keys k, organizations o and accounts a. */
export const KEY_COLUMNS = `k.*, o.region, o.status, a.auth_epoch,
  o.requests_per_minute as organization_requests_per_minute,
  o.tokens_per_minute as organization_tokens_per_minute,
  o.concurrent_requests as organization_concurrent_requests`;

export type RateRow = Pick<PriceRow, 'id' | 'model' | 'prompt' | 'completion' | 'cached'>;

export function keyRecordOf(row: KeyAndOrganization, rates: readonly RateRow[]): KeyRecord {
  return {
    key: row.id,
    organization: row.organization,
    region: row.region,
    state: row.state,
    active: row.state === 'active',
    suspended: row.status === 'suspended',
    epoch: row.auth_epoch,
    member: row.member,
    source: row.source,
    expires: row.expires === null ? null : Number(row.expires),
    limits: limitsOf({
      requests_per_minute: row.organization_requests_per_minute,
      tokens_per_minute: row.organization_tokens_per_minute,
      concurrent_requests: row.organization_concurrent_requests,
    }),
    keyLimits: limitsOf(row),
    monthlyCap: row.monthly_cap === null ? null : picoUsd(row.monthly_cap),
    dailyCap: row.daily_cap === null ? null : picoUsd(row.daily_cap),
    allowedModels: modelsOf(row.allowed_models),
    rates: rates.map(({ id, model, prompt, completion, cached }) => ({
      id,
      model,
      price: {
        prompt: picoUsd(prompt),
        completion: picoUsd(completion),
        cached: picoUsd(cached),
      },
    })),
  };
}

export type NamedKey = Pick<KeyRow, 'name' | 'label'>;

/** `work` has the meter and the windows, and nothing is changed in it. */
export function keyStandingOf(
  work: Pick<UnitOfWork, 'meter' | 'window'>,
  ask: OperationOf<'keyStanding'>,
  named: NamedKey | undefined,
): Outcome {
  if (!named) return { fault: `there is no key ${ask.key}` };
  const { name, label } = named;
  const meter = meterOf(work, ask.key, ask.organization, ask.now);
  const standings = standingsOf(work, ask, ask.now);
  const [spent, today] = [picoUsd(meter.spent), picoUsd(spentInDay(meter))];
  return { answer: { name, label, spent, today, held: picoUsd(meter.held), standings } };
}
