import { perMillion } from '../../format/usd.ts';
import { Money } from '../../parts/shown.tsx';
import type { PricedModel } from './order.ts';

type PriceProps = Readonly<{ model: PricedModel; part: keyof PricedModel['pricing'] }>;

/**
 * The price that the reader pays for a million tokens, with the list price below it when a different
 * price was agreed.
 */
export function Price({ model: { pricing, billed }, part }: PriceProps) {
  return (
    <span>
      <Money amount={perMillion(billed[part])} exact />
      {billed[part] !== pricing[part] && (
        <span className="block text-xs font-normal whitespace-nowrap text-muted">
          List <Money amount={perMillion(pricing[part])} exact />
        </span>
      )}
    </span>
  );
}
