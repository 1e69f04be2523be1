/** A form that reads its fields on submit, so that password managers can fill them in. */
import { type ComponentProps, useEffect, useRef } from 'react';
import { FormError } from './field.tsx';

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> &
  Readonly<{
    /** `text` returns the value of the field with a name; '' when there is none. */
    onSend: (text: (name: string) => string) => void;
    /** Shown below the field that it names, which gets the focus. */
    error?: Error | null;
  }>;

export function Form({ onSend, error = null, className = 'grid gap-4', ...rest }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error === null) return;
    // The field may be in a part that was folded until now.
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  return (
    <FormError value={error}>
      <form
        ref={form}
        className={className}
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          onSend((name) => {
            const value = fields.get(name);
            return typeof value === 'string' ? value : '';
          });
        }}
        {...rest}
      />
    </FormError>
  );
}
