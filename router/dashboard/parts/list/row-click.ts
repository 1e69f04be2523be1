/** A click on a row, which opens what the row is about. */
import type { MouseEvent } from 'react';

/**
 * Returns the handler of a row's clicks. It leaves out clicks on links, buttons and checkboxes of the row, those
 * in menus and dialogs that the row has opened, and those that end the selection of a text. The row
 * needs a link to the same page, for the keyboard and for new tabs.
 */
export function opensOnClick(open: () => void): (event: MouseEvent<HTMLElement>) => void {
  return ({ target, currentTarget }) => {
    if (!(target instanceof Element) || !currentTarget.contains(target)) return;
    const isControl = target.closest('a, button, input, label') !== null;
    const isSelecting = getSelection()?.isCollapsed === false;
    if (isControl || isSelecting) return;
    // What is opened returns the focus to the row's own button, not to the whole table.
    [...currentTarget.querySelectorAll('button')].at(-1)?.focus({ preventScroll: true });
    open();
  };
}
