import type { ReactNode } from 'react';

/** A link to a page that the API serves. It opens in a new tab. */
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
