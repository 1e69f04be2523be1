/** Opens the dashboard after a moment, unless the reader wants to stay. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { after } from '../../clock.ts';
import { Button } from '../../parts/form/button.tsx';

/** How long the outcome is shown before the dashboard opens. */
const SHOWN_MS = 4_000;
/** Whoever does any of these reads the page, or is about to use it. */
const SIGNS = ['keydown', 'pointerdown', 'focusin'] as const;

export function LeadOn() {
  const navigate = useNavigate();
  const [stays, setStays] = useState(false);
  useEffect(
    () => (stays ? undefined : after(SHOWN_MS, () => void navigate({ to: '/', replace: true }))),
    [stays, navigate],
  );
  useEffect(() => {
    const stay = () => setStays(true);
    for (const sign of SIGNS) addEventListener(sign, stay);
    return () => {
      for (const sign of SIGNS) removeEventListener(sign, stay);
    };
  }, []);
  if (stays) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-muted">
      <p>The dashboard opens in a moment.</p>
      <Button size="small" look="ghost" onClick={() => setStays(true)}>
        Stay
      </Button>
    </div>
  );
}
