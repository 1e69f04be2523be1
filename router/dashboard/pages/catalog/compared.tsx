/** The models that are chosen, and below that their comparison. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { FigureSpan } from '../../../../shared/public-figures.ts';
import { cx } from '../../parts/class-names.ts';
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
  const isWhole = useIsWhole(comparison, models.length > 1);
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
            // It keeps its place, so that the button beside it does not move.
            className={cx(isWhole && 'invisible')}
            // The button hides once the comparison is in view, so the focus moves there first.
            onClick={() => {
              comparison.current?.focus({ preventScroll: true });
              comparison.current?.scrollIntoView({ block: 'nearest' });
            }}
          >
            Show comparison
          </Button>
        )}
        <Button size="small" look="ghost" onClick={onClear}>
          Clear
        </Button>
      </div>
      {models.length > 1 && (
        <div ref={comparison} tabIndex={-1} className="min-w-0 scroll-m-6">
          <Comparison models={models} span={span} />
        </div>
      )}
    </>
  );
}

/** The share of it that is in view when it is seen as a whole. */
const WHOLE = 0.98;

/** Whether an element is seen as a whole, so that nothing needs to lead to it. */
function useIsWhole(element: RefObject<HTMLElement | null>, isDrawn: boolean): boolean {
  const [isWhole, setIsWhole] = useState(false);
  useEffect(() => {
    if (!isDrawn || element.current === null) return undefined;
    const look = ([entry]: readonly IntersectionObserverEntry[]) =>
      setIsWhole(entry !== undefined && entry.intersectionRatio >= WHOLE);
    const observer = new IntersectionObserver(look, { threshold: WHOLE });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isDrawn]);
  return isWhole;
}
