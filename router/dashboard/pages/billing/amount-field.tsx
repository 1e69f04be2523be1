import type { ReactNode } from 'react';
import { Field, Input } from '../../parts/form/field.tsx';

type AmountFieldProps = Readonly<{
  label: string;
  hint?: ReactNode;
  /** The name of the field in the API. */
  param: string;
  defaultValue?: string;
  value?: string;
  onChange?: (value: string) => void;
}>;

/** An amount in USD, as text. The API checks it. */
export function AmountField({ defaultValue, value, onChange, ...field }: AmountFieldProps) {
  return (
    <Field {...field}>
      {(described) => (
        <div className="relative">
          <span
            aria-hidden
            className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-sm text-muted"
          >
            $
          </span>
          <Input
            {...described}
            inputMode="decimal"
            autoComplete="off"
            className="pl-6 tabular-nums"
            name={field.param}
            defaultValue={defaultValue}
            value={value}
            onChange={({ target }) => onChange?.(target.value)}
          />
        </div>
      )}
    </Field>
  );
}
