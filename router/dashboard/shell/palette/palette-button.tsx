/** The button in the navigation that opens the palette, and its shortcut. */
import { Search } from 'lucide-react';
import { useEffect } from 'react';

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The shortcut, for assistive technology and for people. */
export const PALETTE_KEYS = IS_MAC ? 'Meta+K' : 'Control+K';
export const PALETTE_KEYS_TEXT = IS_MAC ? '⌘K' : 'Ctrl K';

export function PaletteButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-keyshortcuts={PALETTE_KEYS}
      className="mt-2 flex w-full items-center gap-2.5 rounded-md border bg-panel px-2 py-1.5 text-left text-sm text-muted max-lg:min-h-11 hover:bg-hover hover:text-ink"
    >
      <Search className="size-4 shrink-0" aria-hidden />
      <span className="flex-1">Search</span>
      {/* A phone has no such keys. */}
      <kbd className="font-sans text-xs max-sm:hidden pointer-coarse:hidden" aria-hidden>
        {PALETTE_KEYS_TEXT}
      </kbd>
    </button>
  );
}

/** Calls `onOpen` on ⌘K or Ctrl K, unless a dialog is open: it may hold what was typed. */
export function usePaletteShortcut(onOpen: () => void): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const isShortcut = (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;
      if (!isShortcut || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      if (document.querySelector('[role=dialog], [role=alertdialog]') === null) onOpen();
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, [onOpen]);
}
