/** Filters that stand behind a button on a phone, which says how many of them are set. */
import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../form/button.tsx';
import { cx } from '../class-names.ts';

/** Whether folded filters are shown, for a button that stands apart from them. */
export type Fold = Readonly<{ id: string; isOpen: boolean; toggle: () => void }>;

export function useFold(): Fold {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return { id, isOpen, toggle: () => setOpen(!isOpen) };
}

type FoldButtonProps = Readonly<{
  fold: Fold;
  /** What the button leads to. */
  name?: string | undefined;
  /** How many filters are set. */
  count: number;
  className?: string;
}>;

export function FoldButton({ fold, name = 'Filters', count, className }: FoldButtonProps) {
  return (
    <Button
      look={count > 0 ? 'lit' : 'secondary'}
      className={cx('sm:hidden', className)}
      aria-expanded={fold.isOpen}
      aria-controls={fold.id}
      onClick={fold.toggle}
    >
      <SlidersHorizontal /> {name}
      {count > 0 && ` (${count})`}
    </Button>
  );
}

type FoldedProps = Readonly<{ fold: Fold; className: string; children: ReactNode }>;

/** What the button shows and hides. Wider screens always show it. */
export function Folded({ fold: { id, isOpen }, className, children }: FoldedProps) {
  return (
    <div id={id} className={cx(className, !isOpen && 'max-sm:hidden')}>
      {children}
    </div>
  );
}

type FoldedFiltersProps = Pick<FoldButtonProps, 'name' | 'count'> & Omit<FoldedProps, 'fold'>;

export function FoldedFilters({ name, count, ...folded }: FoldedFiltersProps) {
  const fold = useFold();
  return (
    <>
      <FoldButton fold={fold} name={name} count={count} className="justify-self-start" />
      <Folded fold={fold} {...folded} />
    </>
  );
}
