/** Toasts: short messages about events that the page itself does not show. */
import { Toast } from 'radix-ui';
import { useSyncExternalStore } from 'react';

type Word = Readonly<{ id: number; text: string }>;

let words: readonly Word[] = [];
let count = 0;
const hearers = new Set<() => void>();

export function say(text: string): void {
  count += 1;
  // What is said again replaces what was said before.
  change([...words.filter((word) => word.text !== text), { id: count, text }]);
}

/** Takes back all that is said, which was said to somebody who has left. */
export function unsay(): void {
  change([]);
}

function change(next: readonly Word[]): void {
  words = next;
  for (const hear of hearers) hear();
}

function subscribe(hear: () => void): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

const SHOWN_MS = 4_000;

export function Said() {
  const shown = useSyncExternalStore(subscribe, () => words);
  return (
    <Toast.Provider duration={SHOWN_MS}>
      {shown.map(({ id, text }) => (
        <Toast.Root
          key={id}
          onOpenChange={(open) => open || change(words.filter((word) => word.id !== id))}
          className="rounded-lg border border-line-strong bg-panel px-4 py-2.5 text-sm shadow-float"
        >
          <Toast.Title>{text}</Toast.Title>
        </Toast.Root>
      ))}
      {/* On a phone they stand over the bar at the top, beside its button, and not over the page. */}
      <Toast.Viewport className="fixed right-4 bottom-4 z-50 grid w-max max-w-[calc(100vw-2rem)] gap-2 outline-none max-sm:top-2 max-sm:right-2 max-sm:bottom-auto max-sm:max-w-[calc(100vw-5rem)]" />
    </Toast.Provider>
  );
}
