import type { Limits } from '../../../shared/api/fields.ts';
import { shownCount, shownShare } from '../format/count.ts';
import { limitWords } from '../format/limit-words.ts';
import { shareOf } from '../format/usd.ts';
import { cx } from './class-names.ts';
import { Money } from './shown.tsx';

type CapsAndLimitsProps = Readonly<{
  /** USD; null: no cap. */
  monthly: string | null;
  daily: string | null;
  /** What was spent in this month and on this day (UTC), in USD. */
  spend: Readonly<{ month: string; today: string }>;
  /** Whether a cap that is nearly reached stands out. */
  warns?: boolean;
  /** Limits that apply beside the caps. */
  limits?: Limits;
  /** The only models that may be called. Null: all may. */
  models?: readonly string[] | null;
}>;

/** The caps of spend, each with its share that is used, then the limits, and how many models. */
export function CapsAndLimits(props: CapsAndLimitsProps) {
  const { monthly, daily, spend, warns = true, limits, models = null } = props;
  const words = limits ? limitWords(limits) : [];
  if (monthly === null && daily === null && words.length === 0 && models === null) {
    return <span className="text-muted">None</span>;
  }
  return (
    <div className="grid justify-items-end gap-1">
      {monthly !== null && <Cap amount={monthly} spent={spend.month} per="month" warns={warns} />}
      {daily !== null && <Cap amount={daily} spent={spend.today} per="day" warns={warns} />}
      {words.map((limit) => (
        <span key={limit} className="whitespace-nowrap">
          {limit}
        </span>
      ))}
      {models !== null && (
        <span className="text-xs whitespace-nowrap text-muted">
          {shownCount(models.length)} {models.length === 1 ? 'model' : 'models'}
        </span>
      )}
    </div>
  );
}

/**
 * From this share of the cap on, a refusal is near, because the possible cost of a request has to
 * fit below the cap.
 */
const SHARE_NEAR = 0.9;

type CapProps = Readonly<{ amount: string; spent: string; per: string; warns: boolean }>;

function Cap({ amount, spent, per, warns }: CapProps) {
  const share = shareOf(spent, amount);
  const isNear = warns && share >= SHARE_NEAR;
  return (
    <div className="text-xs whitespace-nowrap text-muted">
      <span className={cx(isNear && 'font-medium text-warn')}>{shownShare(share)}</span> of{' '}
      <span className="text-sm text-ink">
        <Money amount={amount} />
      </span>{' '}
      / {per}
    </div>
  );
}
