/** The models that are chosen, and below that their comparison. */
import { useRef } from 'react';
import type { FigureSpan } from '../../../../shared/public-figures.ts';
import { Button } from '../../parts/form/button.tsx';
import { Comparison } from './comparison.tsx';
import type { PricedModel } from './order.ts';

type ComparedProps = Readonly<{
  models: readonly PricedModel[];
  span: FigureSpan;
  onClear: () => void;
}>;

/**
 * It follows the list, so that the rows of the list stay where they are while models are chosen. As
 * long as the list fills the window, the number of models stands at the bottom of the window.
 */
export function Compared({ models, span, onClear }: ComparedProps) {
  const comparison = useRef<HTMLDivElement>(null);
  if (models.length === 0) return null;
  return (
    <>
      <div className="sticky bottom-3 z-10 flex flex-wrap items-center gap-2 rounded-xl border bg-panel px-4 py-2.5 text-sm shadow-float">
        <p role="status" className="grow">
          {models.length === 1
            ? 'Choose up to three more models to compare.'
            : `${models.length} models selected.`}
        </p>
        {models.length > 1 && (
          <Button
            size="small"
            onClick={() => comparison.current?.scrollIntoView({ block: 'nearest' })}
          >
            Show comparison
          </Button>
        )}
        <Button size="small" look="ghost" onClick={onClear}>
          Clear
        </Button>
      </div>
      {models.length > 1 && (
        <div ref={comparison} className="min-w-0 scroll-m-6">
          <Comparison models={models} span={span} />
        </div>
      )}
    </>
  );
}
