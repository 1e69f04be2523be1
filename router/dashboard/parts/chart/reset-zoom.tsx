import { ZoomOut } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../form/button.tsx';

/** Where Escape has a meaning of its own. */
const OTHERS =
  'input:not([type=radio], [type=checkbox]), textarea, select, dialog, [role=dialog], [role=menu]';

/** Leads back from a chosen time. So does Escape. */
export function ResetZoom({ onReset }: { onReset: () => void }) {
  const latest = useRef(onReset);
  useEffect(() => void (latest.current = onReset));
  useEffect(() => {
    const ending = new AbortController();
    const reset = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      const isOthers = target instanceof Element && target.closest(OTHERS) !== null;
      if (key === 'Escape' && !defaultPrevented && !isOthers) latest.current();
    };
    addEventListener('keydown', reset, { signal: ending.signal });
    return () => ending.abort();
  }, []);
  return (
    // A phone has room for the icon alone beside other choices.
    <Button onClick={onReset} className="max-sm:w-11 max-sm:px-0">
      <ZoomOut /> <span className="max-sm:sr-only">Reset zoom</span>
    </Button>
  );
}
