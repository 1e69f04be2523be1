/** Returns the focus to the element that had it before, for dialogs that have no trigger. */
import { type RefObject, useEffect, useRef } from 'react';

/** What the open dialogs return the focus to, the last that was opened at the end. */
const open: RefObject<Element | null>[] = [];

/**
 * The attributes of a dialog that has no trigger. A dialog that takes the place of another keeps the
 * focus when the other has closed, and later returns it to where the other would have.
 */
export function useFocusBack() {
  // A field of the dialog may take the focus before the dialog says that it was opened.
  const before = useRef(document.activeElement);
  useEffect(() => {
    open.push(before);
    return () => {
      open.splice(open.indexOf(before), 1);
    };
  }, []);
  return {
    onOpenAutoFocus: () => {
      if (!isGone(document.activeElement)) before.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const element = before.current;
      const last = open.at(-1);
      if (last === undefined || isInDialog(element)) {
        if (element instanceof HTMLElement) element.focus();
      } else if (isGone(last.current)) {
        // The last was opened from this dialog, which is closed.
        last.current = element;
      }
    },
  };
}

/** Removing an element that has the focus gives it to the body. */
function isGone(element: Element | null): boolean {
  return element === null || element === document.body || !element.isConnected;
}

function isInDialog(element: Element | null): boolean {
  return !isGone(element) && element?.closest('[role=dialog], [role=alertdialog]') !== null;
}
