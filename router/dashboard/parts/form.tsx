/** A form that reads its fields on submit, so that password managers can fill them in. */
import type { ReactNode } from 'react';
import { cx } from './class-names.ts';

type FormProps = Readonly<{
  /** `text` returns the value of the field with a name; '' when there is none. */
  onSend: (text: (name: string) => string) => void;
  className?: string;
  children: ReactNode;
}>;

export function Form({ onSend, className, children }: FormProps) {
  return (
    <form
      className={cx('grid gap-4', className)}
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        onSend((name) => {
          const value = fields.get(name);
          return typeof value === 'string' ? value : '';
        });
      }}
    >
      {children}
    </form>
  );
}
