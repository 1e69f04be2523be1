/** The button of the search, and its shortcut. */
import { Search } from 'lucide-react';
import { useEffect } from 'react';

export function SearchButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-keyshortcuts="/"
      className="flex w-full items-center gap-2.5 rounded-md border border-line-strong bg-panel px-2.5 py-1.5 text-left text-sm text-muted hover:bg-hover hover:text-ink"
    >
      <Search className="size-4 shrink-0" aria-hidden />
      <span className="flex-1">Search docs</span>
      <kbd className="rounded border px-1.5 font-sans text-xs" aria-hidden>
        /
      </kbd>
    </button>
  );
}

/** Calls `onOpen` on a slash, unless the reader is typing or a dialog is open. */
export function useSearchShortcut(onOpen: () => void): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector('[role=dialog]') !== null) return;
      event.preventDefault();
      onOpen();
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, [onOpen]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}
