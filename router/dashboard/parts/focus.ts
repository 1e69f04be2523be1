/**
 * As a `ref`: focuses an element that replaces the pressed one, because the focus would otherwise
 * be lost with it.
 */
export function focusOn(element: HTMLElement | null): void {
  element?.focus();
}
