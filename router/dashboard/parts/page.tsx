import { type ReactNode, useEffect } from 'react';
import { AsOfTime, OUTDATED } from './as-of.tsx';
import { cx } from './class-names.ts';
import { ToldOnce } from './unreachable.tsx';

type PageProps = Readonly<{
  title: string;
  /** A `BackLink` to the list that the page belongs to, above the title. */
  back?: ReactNode;
  description?: ReactNode;
  /** Buttons, at the right. */
  actions?: ReactNode;
  /** As wide as the window, for what stands side by side. */
  wide?: boolean;
  /** At least as high as the window, for what stands at its bottom. */
  full?: boolean;
  /** The header stays in view while the reader scrolls, so many px below the top of the window. */
  stickyTop?: number | undefined;
  children: ReactNode;
}>;

/** A page with its heading. The title is also the title of the window. */
export function Page({
  title,
  back,
  description,
  actions,
  wide = false,
  full = false,
  stickyTop,
  children,
}: PageProps) {
  useTitle(title);
  return (
    <div
      className={cx(
        'mx-auto grid w-full grid-cols-[minmax(0,1fr)] gap-6 px-4 py-6 sm:px-8 sm:py-8',
        !wide && 'max-w-6xl',
        full && 'flex-1 grid-rows-[auto_1fr]',
      )}
    >
      <header
        style={{ top: stickyTop }}
        className={cx(
          'flex flex-wrap items-start justify-between gap-x-6 gap-y-3',
          stickyTop !== undefined && 'sticky z-20 -my-2 bg-ground py-2',
        )}
      >
        {back !== undefined && <div className="-mb-2 grid w-full">{back}</div>}
        {/* A long description is broken into lines before it moves the buttons below it. */}
        <div className="grid min-w-0 gap-1 wrap-anywhere sm:flex-[1_1_20rem]">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {description !== undefined && (
            <p className="max-w-3xl text-sm text-muted">{description}</p>
          )}
        </div>
        {actions !== undefined && (
          <div className="flex flex-wrap items-center gap-2 empty:hidden">{actions}</div>
        )}
      </header>
      <ToldOnce>{children}</ToldOnce>
    </div>
  );
}

/** Sets the title of the window. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Penstock`;
  }, [title]);
}

type PanelProps = Readonly<{
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** When its figures were read, if they are not of now: they are greyed (see `AsOf`). */
  asOf?: string | null;
  /** No padding, for a table that reaches the edges. */
  flush?: boolean;
  className?: string;
  children: ReactNode;
}>;

/** Gives a table that reaches the edges the round corners of the panel. */
const FLUSH = '[&>[role=region]:last-child]:rounded-b-xl';
const FLUSH_TOP = '[&>[role=region]:first-child]:rounded-t-xl [&_thead]:border-t-0';

export function Panel({
  title,
  description,
  actions,
  asOf = null,
  flush = false,
  className,
  children,
}: PanelProps) {
  const isDescribed = description !== undefined && description !== false;
  return (
    <section
      className={cx(
        'min-w-0 rounded-xl border bg-panel shadow-panel',
        asOf !== null && OUTDATED,
        className,
      )}
    >
      {(title !== undefined || actions !== undefined) && (
        <header
          className={cx(
            'flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 pt-4',
            flush && 'pb-3',
          )}
        >
          {/* On a phone, a button of a word or two has room beside it. */}
          <div className="grid min-w-0 flex-[1_1_16rem] gap-0.5 max-sm:basis-44">
            <h2 className="text-sm font-semibold">{title}</h2>
            {(isDescribed || asOf !== null) && (
              <p className="text-sm text-muted">
                {description}
                {isDescribed && asOf !== null && ' '}
                {asOf !== null && <AsOfTime at={asOf} />}
              </p>
            )}
          </div>
          {actions !== undefined && (
            <div className="flex flex-wrap items-center gap-2 empty:hidden">{actions}</div>
          )}
        </header>
      )}
      <div
        // A table inside gets no second edge on a phone (theme.css).
        data-inset={flush ? undefined : ''}
        className={cx(
          flush ? FLUSH : 'px-5 py-4',
          flush && title === undefined && actions === undefined && FLUSH_TOP,
        )}
      >
        {children}
      </div>
    </section>
  );
}

type StatProps = Readonly<{
  label: ReactNode;
  note?: ReactNode;
  /** As that of a panel. */
  asOf?: string | null;
  children: ReactNode;
}>;

/** One figure with its name. */
export function Stat({ label, note, asOf = null, children }: StatProps) {
  return (
    <div
      className={cx(
        'grid content-start gap-1 rounded-xl border bg-panel px-5 py-4 shadow-panel max-sm:px-4 max-sm:py-3',
        asOf !== null && OUTDATED,
      )}
    >
      <p className="text-sm text-muted">{label}</p>
      <p className="text-2xl font-semibold tracking-tight tabular-nums max-sm:text-lg">
        {children}
      </p>
      {note !== undefined && <p className="text-xs text-muted">{note}</p>}
      {asOf !== null && (
        <p className="text-xs">
          <AsOfTime at={asOf} />
        </p>
      )}
    </div>
  );
}

/** A list of details: each `Fact` in it is a name and its value. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-2 text-sm sm:grid-cols-[10rem_minmax(0,1fr)] sm:gap-y-2.5">
      {children}
    </dl>
  );
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    // On a phone, a value that has room there stands beside its name, below the one before.
    <div className="flex flex-wrap items-baseline gap-x-3 sm:contents">
      <dt className="text-muted max-sm:min-w-34">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
