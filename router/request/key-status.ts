/** `GET /v1/key`: what the calling key may spend and request, and what is left of it. */
import { PeerRates } from '../../shared/bounds/peer-rates.ts';
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { limits as bounds } from '../../shared/limits.ts';
import { formatUsd } from '../../shared/money.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { OpenLedger } from '../ledger/ledger.ts';
import type { KeyStanding } from '../ledger/operations.ts';
import type { Limits, Standing } from '../ledger/terms.ts';
import type { Caller } from './authenticate.ts';

export class KeyStatus {
  readonly #ledger: Pick<OpenLedger, 'keyStanding'>;
  readonly #rates: PeerRates<OrganizationId>;

  constructor(ledger: Pick<OpenLedger, 'keyStanding'>, clock: Clock) {
    this.#ledger = ledger;
    this.#rates = new PeerRates(clock, bounds.keyStatus);
  }

  /** Returns the answer's JSON. Each answer is read from the store, so their rate is limited. */
  async read({ organization, key, limits, suspended, expires }: Caller): Promise<string | Refusal> {
    if (!this.#rates.spend(organization)) {
      const message = 'GET /v1/key is asked for too often: slow down, then retry.';
      return new Refusal('rate_limited', { message, retryAfterS: 1 });
    }
    const { name, label, spent, today, held, standings } = await this.#ledger.keyStanding({
      organization,
      key,
      limits,
    });
    const cap = tighterOf(limits, { spent, today, held });
    const status = {
      name,
      label,
      limit_reset: cap === null ? null : cap.reset,
      is_suspended: suspended,
      is_free_tier: false,
      expires_at: expires === null ? null : new Date(expires).toISOString(),
      // OpenRouter's older form, where -1 is no limit.
      rate_limit: { requests: standings.requests?.limit ?? -1, interval: '1m' },
      rate_limits: {
        requests: shown(standings.requests),
        tokens: shown(standings.tokens),
        concurrent_requests: atOnce(limits),
      },
    };
    const amounts =
      `"limit":${usd(cap && cap.most)},"limit_remaining":${usd(cap && cap.left)},` +
      `"usage":${usd(spent)},"usage_daily":${usd(today)},"usage_monthly":${usd(spent)}`;
    return `{"data":{${amounts},${JSON.stringify(status).slice(1)}}`;
  }
}

type Cap = Readonly<{ most: bigint; left: bigint; reset: 'monthly' | 'daily' }>;

/** The cap of the key that leaves less to spend, with what it leaves; null if it has none. */
function tighterOf(
  { monthlyCap, dailyCap }: Limits,
  { spent, today, held }: Pick<KeyStanding, 'spent' | 'today' | 'held'>,
): Cap | null {
  const capOf = (most: bigint | null, used: bigint, reset: Cap['reset']) =>
    most === null ? null : { most, left: most > used ? most - used : 0n, reset };
  const month = capOf(monthlyCap, spent + held, 'monthly');
  const day = capOf(dailyCap, today + held, 'daily');
  return month && day ? (day.left < month.left ? day : month) : (month ?? day);
}

/** An amount as a JSON number with all its decimals. */
function usd(amount: bigint | null): string {
  return amount === null ? 'null' : formatUsd(amount);
}

function shown(standing: Standing | null) {
  return standing && { limit: standing.limit, remaining: standing.remaining, interval: '1m' };
}

/** The tighter of the organization's and the key's limit. */
function atOnce({ organization, key }: Limits): number | null {
  const all = [organization, key].flatMap(({ concurrentRequests: most }) => most ?? []);
  return all.length === 0 ? null : Math.min(...all);
}
