/** Runs an action when Escape is pressed and no dialog or menu is closed by it. */
import { useEffect, useRef } from 'react';

export function useEscape(isActive: boolean, act: () => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (!isActive) return undefined;
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) latest.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [isActive]);
}
