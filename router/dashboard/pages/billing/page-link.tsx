import type { ReactNode } from 'react';

/** To a page of the API's own, beside this one. */
export function PageLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="font-medium whitespace-nowrap text-accent hover:underline"
    >
      {children}
    </a>
  );
}
