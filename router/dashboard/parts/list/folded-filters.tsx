import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../form/button.tsx';
import { cx } from '../class-names.ts';

type FoldedFiltersProps = Readonly<{
  /** What the button leads to. */
  name?: string | undefined;
  /** How many filters are set. */
  count: number;
  className: string;
  children: ReactNode;
}>;

/** Filters that stand behind a button on a phone, which says how many of them are set. */
export function FoldedFilters({
  name = 'Filters',
  count,
  className,
  children,
}: FoldedFiltersProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        look={count > 0 ? 'lit' : 'secondary'}
        className="justify-self-start sm:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <SlidersHorizontal /> {name}
        {count > 0 && ` (${count} set)`}
      </Button>
      <div id={id} className={cx(className, !isOpen && 'max-sm:hidden')}>
        {children}
      </div>
    </>
  );
}
