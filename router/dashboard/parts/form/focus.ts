/**
 * Use as a `ref` of the field in which people type first, and of an element that replaces the button
 * that was pressed: moves the focus to it, because removing the button would lose the focus.
 */
export function focusOn(element: HTMLElement | null): void {
  element?.focus();
}
