/** As a `ref`: puts the focus on what has just come in place of what was pressed, which would be lost with it. */
export function focusOn(element: HTMLElement | null): void {
  element?.focus();
}
