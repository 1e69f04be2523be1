/** The attributes of a link in a list of pages. */
export function listed(isCurrent: boolean) {
  return {
    'aria-current': isCurrent ? 'page' : undefined,
    // A page is not the current one because the page below its address is.
    activeOptions: { exact: true },
    className:
      'block rounded-md px-2 py-1 text-sm text-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink',
  } as const;
}
