/** A formula. Its TeX source is shown until it is drawn, and when it cannot be drawn. */
import { useLayoutEffect, useRef } from 'react';
import { cx } from '../../../parts/class-names.ts';
import { forget, soon } from './pacing.ts';

type Draw = (place: HTMLElement, source: string, display: boolean) => void;

let draw: Draw | null = null;
let loading: Promise<void> | null = null;

function loadDrawing(): Promise<void> {
  return (loading ??= import('./formula-drawing.ts').then(({ drawFormula }) => {
    draw = drawFormula;
    return undefined;
  }));
}

export function FormulaView({ source, display }: Readonly<{ source: string; display: boolean }>) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const shown = place.current;
    if (!shown) return undefined;
    shown.textContent = source;
    const paint = () => soon(shown, () => draw?.(shown, source, display));
    if (draw) paint();
    else void loadDrawing().then(paint, () => {});
    return () => forget(shown);
  }, [source, display]);
  return (
    <span
      ref={place}
      role="math"
      aria-label={source.trim()}
      className={cx(display && 'block overflow-x-auto overflow-y-hidden py-1')}
    />
  );
}
