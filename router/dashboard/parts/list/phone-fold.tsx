/** A long list, which a phone shows only once its reader asks for it. Wider screens always show it. */
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { cx } from '../class-names.ts';

type PhoneFoldProps = Readonly<{
  /** What is shown or hidden, such as "24 workers". */
  what: string;
  /** Whether it is open at first, such as for a list that the address narrows. */
  open?: boolean;
  children: ReactNode;
}>;

export function PhoneFold({ what, open = false, children }: PhoneFoldProps) {
  const [isOpen, setOpen] = useState(open);
  const id = useId();
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-11 w-full items-center justify-between gap-2 border-t px-5 text-left text-sm font-medium hover:bg-hover md:hidden"
      >
        {isOpen ? 'Hide' : 'Show'} {what}
        <ChevronDown aria-hidden className={cx('size-4 text-muted', isOpen && 'rotate-180')} />
      </button>
      <div
        id={id}
        className={cx('[&>[role=region]:last-child]:rounded-b-xl', !isOpen && 'max-md:hidden')}
      >
        {children}
      </div>
    </>
  );
}
