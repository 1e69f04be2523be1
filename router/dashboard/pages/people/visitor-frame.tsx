/** The frame of the pages for people who are not signed in: the logo, a title and one panel. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Panel, useTitle } from '../../parts/page.tsx';
import { Mark } from '../../shell/mark.tsx';
import { ProductLinks } from './product.tsx';

type VisitorFrameProps = Readonly<{
  title: string;
  description?: ReactNode;
  /** Links to other pages, below the panel. */
  below?: ReactNode;
  children: ReactNode;
}>;

export function VisitorFrame({ title, description, below, children }: VisitorFrameProps) {
  useTitle(title);
  return (
    <main className="grid min-h-dvh grid-cols-[minmax(0,24rem)] content-start justify-center gap-5 bg-ground px-4 pt-12 pb-16 sm:pt-[12vh]">
      <header className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <Link to="/" className="mb-4 flex w-max items-center gap-2.5 font-semibold">
          <Mark size={32} /> Penstock
        </Link>
        <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
        {description !== undefined && (
          <p className="text-sm wrap-anywhere text-muted">{description}</p>
        )}
      </header>
      <Panel>{children}</Panel>
      <div className="grid gap-1.5 text-sm text-muted">
        {below}
        <ProductLinks />
      </div>
    </main>
  );
}

/** The classes of a link within a sentence. */
export const LINK = 'font-medium text-ink underline underline-offset-2 hover:text-accent';
