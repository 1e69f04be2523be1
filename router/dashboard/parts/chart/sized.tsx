/**
 * The place of a chart, which gives it its size in pixels. A place that is not shown, such as in what
 * a phone folds, has no size, and its chart is not drawn.
 */
import { type ReactNode, useCallback, useState } from 'react';

type Size = Readonly<{ width: number; height: number }>;

export function Sized({ children }: { children: (size: Size) => ReactNode }) {
  const [size, setSize] = useState<Size | null>(null);
  const place = useCallback((element: HTMLDivElement) => {
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((before) =>
        before?.width === width && before.height === height ? before : { width, height },
      );
    };
    // The first size is known before the browser draws.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const isShown = size !== null && size.width > 0 && size.height > 0;
  return (
    <div ref={place} className="h-full w-full">
      {/* The drawing does not keep its place from becoming smaller. */}
      <div className="h-0 w-0 overflow-visible">{isShown && children(size)}</div>
    </div>
  );
}
