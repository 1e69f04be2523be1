import type { Model } from '../../../../shared/api/models.ts';
import { perMillion } from '../../format/usd.ts';
import { Money } from '../../parts/shown.tsx';

type PriceFigureProps = Readonly<{
  name: string;
  model: Model;
  part: keyof Model['pricing'];
}>;

/**
 * The price that the organization pays for a million tokens, with the list price below it when a
 * different price was agreed.
 */
export function PriceFigure({ name, model, part }: PriceFigureProps) {
  const { pricing, billed, agreed } = model;
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-sm font-medium">
        <Money amount={perMillion(billed[part])} exact />
        {agreed && billed[part] !== pricing[part] && (
          <span className="block text-xs font-normal text-muted">
            List <Money amount={perMillion(pricing[part])} exact />
          </span>
        )}
      </dd>
    </div>
  );
}
