/** The field of the palette while its code is being loaded. It takes what is typed meanwhile. */
import { Search } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { focusOn } from '../../parts/form/focus.ts';

/** The place and look of the palette, and of its field. */
export const PALETTE_BOX =
  'fixed top-[12dvh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border bg-panel shadow-float';
export const PALETTE_FIELD =
  'h-12 min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-muted';
export const PALETTE_CHARS_MAX = 200;

type WaitingProps = Readonly<{
  hint: string;
  typed: string;
  onType: (text: string) => void;
  onClose: () => void;
}>;

export function PaletteWaiting({ hint, typed, onType, onClose }: WaitingProps) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    // The focus may have left the field.
    const hear = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') close();
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, []);
  return (
    <>
      <div aria-hidden onClick={onClose} className="fixed inset-0 z-40 bg-black/40" />
      <div role="dialog" aria-modal aria-label="Search" aria-busy className={PALETTE_BOX}>
        <div className="flex items-center gap-2.5 border-b px-4">
          <Search className="size-4 shrink-0 text-muted" aria-hidden />
          <input
            ref={focusOn}
            aria-label="Search"
            autoComplete="off"
            value={typed}
            onChange={(event) => onType(event.target.value)}
            maxLength={PALETTE_CHARS_MAX}
            placeholder={hint}
            className={PALETTE_FIELD}
          />
        </div>
      </div>
    </>
  );
}
