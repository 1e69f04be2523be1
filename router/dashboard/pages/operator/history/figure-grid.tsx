/** The charts of a history beside each other. A phone shows the first ones until its reader asks for all. */
import { Children, type ReactNode, useId, useState } from 'react';
import { Button } from '../../../parts/form/button.tsx';
import { cx } from '../../../parts/class-names.ts';

/** As many as the style below leaves. */
const FIRST = 3;

type FigureGridProps = Readonly<{
  /** On a wide screen: as many as leave no gap in the last line. */
  columns?: 3 | 4;
  children: ReactNode;
}>;

const COLUMNS = { 3: 'xl:grid-cols-3', 4: 'xl:grid-cols-4' } as const;

export function FigureGrid({ columns = 3, children }: FigureGridProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const more = Children.count(children) - FIRST;
  return (
    <>
      <div
        id={id}
        className={cx(
          'grid gap-x-6 gap-y-4 sm:grid-cols-2',
          COLUMNS[columns],
          !isOpen && 'max-sm:[&>:nth-child(n+4)]:hidden',
        )}
      >
        {children}
      </div>
      {more > 0 && (
        <Button
          size="small"
          className="justify-self-start sm:hidden"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show fewer charts' : `Show ${more} more charts`}
        </Button>
      )}
    </>
  );
}
