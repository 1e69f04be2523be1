/** Opens the palette, by its shortcut or a button. Its code is loaded when it is first opened. */
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { usePaletteShortcut } from './palette-button.tsx';
import { PaletteWaiting } from './palette-waiting.tsx';

const Palette = lazy(() => import('./palette.tsx'));

const HINTS = {
  person: 'Search pages, models, keys, or paste an ID',
  stranger: 'Search pages, models and docs',
} as const;

type Asked = Readonly<{
  isStranger: boolean;
  /** The organization that is shown; null when there is none. */
  organization: string | null;
  /** Called before the palette opens. */
  onOpen?: () => void;
}>;

/** Returns the palette, which is null while it is closed, and a function that opens it. */
export function usePalette({
  isStranger,
  organization,
  onOpen,
}: Asked): readonly [ReactNode, () => void] {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [opener, setOpener] = useState<Element | null>(null);
  const open = useCallback(() => {
    onOpen?.();
    setOpener(document.activeElement);
    setTyped('');
    setOpen(true);
  }, [onOpen]);
  usePaletteShortcut(open);
  if (!isOpen) return [null, open];
  const close = () => setOpen(false);
  const stopWaiting = () => {
    close();
    if (opener instanceof HTMLElement) opener.focus();
  };
  const hint = HINTS[isStranger ? 'stranger' : 'person'];
  const palette = (
    <Suspense
      fallback={
        <PaletteWaiting hint={hint} typed={typed} onType={setTyped} onClose={stopWaiting} />
      }
    >
      <Palette {...{ isStranger, organization, hint, typed, opener }} onClose={close} />
    </Suspense>
  );
  return [palette, open];
}
