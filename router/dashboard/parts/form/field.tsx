import { type ComponentProps, createContext, type ReactNode, use, useId, useState } from 'react';
import { ApiError, requestIdOf } from '../../api/client.ts';
import { cx } from '../class-names.ts';
import { controlOf, invalidity, isFirstInvalid } from './invalid.ts';

const CONTROL =
  'w-full rounded-md border border-line-strong bg-panel px-2.5 text-sm text-ink placeholder:text-muted/70 disabled:opacity-60 aria-invalid:border-bad';

/** On a phone, a field has to be as large as a finger. */
const HEIGHT = 'h-8.5 max-sm:h-11';

/** The error of the form that the fields stand in. */
export const FormError = createContext<Error | null>(null);

/** The attributes of the field's control, which connect label, hint and error with it. */
export type Described = Readonly<{
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}>;

type FieldProps = Readonly<{
  label: string;
  hint?: ReactNode;
  /**
   * The name of the field, here and in the API. An error of the form that names it is shown below.
   */
  param?: string | undefined;
  /** For a field without a form, in place of the form's error. */
  error?: Error | null | undefined;
  children: (described: Described) => ReactNode;
}>;

export function Field({ label, hint, error, param, children }: FieldProps) {
  const id = useId();
  const ofForm = use(FormError);
  /** The form's error after which the field was changed: the next is known once the form is sent. */
  const [corrected, setCorrected] = useState<Error | null>(null);
  const [invalid, setInvalid] = useState<string | null>(null);
  const told = error === undefined && ofForm !== corrected ? ofForm : (error ?? null);
  const fault = invalid ?? faultOf(told, param);
  const notes = [hint !== undefined && `${id}-hint`, fault !== null && `${id}-fault`].filter(
    Boolean,
  );
  return (
    <div
      className="grid gap-1.5"
      onInput={() => {
        setCorrected(ofForm);
        setInvalid(null);
      }}
      // In place of the browser's bubble, which is gone after some seconds.
      onInvalidCapture={(event) => {
        const control = controlOf(event);
        if (control === null) return;
        event.preventDefault();
        setInvalid(invalidity(control, label));
        if (isFirstInvalid(control)) control.focus();
      }}
    >
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': notes.length === 0 ? undefined : notes.join(' '),
        'aria-invalid': fault === null ? undefined : true,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      {fault !== null && (
        <p id={`${id}-fault`} className="text-xs text-bad" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

/** Returns the message of an error when it is about this field. */
function faultOf(error: Error | null, param: string | undefined): string | null {
  return error instanceof ApiError && error.param === param ? error.message : null;
}

/** Keeps the default value that it began with, also when a newer one is fetched meanwhile. */
export function Input({ className, defaultValue, ...rest }: ComponentProps<'input'>) {
  const [first] = useState(defaultValue);
  return <input className={cx(CONTROL, HEIGHT, className)} defaultValue={first} {...rest} />;
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={cx(CONTROL, 'min-h-20 py-2', className)} {...rest} />;
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select className={cx(CONTROL, HEIGHT, 'pr-1.5 text-ellipsis', className)} {...rest} />;
}

/**
 * The attributes of a field and of its control. `onChange` receives the new text; a form that is
 * read when it is sent needs none.
 */
type Control<Element extends 'input' | 'textarea' | 'select'> = Omit<FieldProps, 'children'> &
  Omit<ComponentProps<Element>, 'onChange'> &
  Readonly<{ onChange?: (text: string) => void }>;

/** A field for one line of text. */
export function TextField({ label, hint, error, param, onChange, ...rest }: Control<'input'>) {
  return (
    <Field {...{ label, hint, error, param }}>
      {(described) => (
        <Input
          {...described}
          name={param}
          {...rest}
          onChange={({ target }) => onChange?.(target.value)}
        />
      )}
    </Field>
  );
}

/** A field for several lines of text. */
export function TextAreaField(props: Control<'textarea'>) {
  const { label, hint, error, param, onChange, ...rest } = props;
  return (
    <Field {...{ label, hint, error, param }}>
      {(described) => (
        <TextArea
          {...described}
          name={param}
          {...rest}
          onChange={({ target }) => onChange?.(target.value)}
        />
      )}
    </Field>
  );
}

/** A field for a choice from a list: its children are the options. */
export function SelectField({ label, hint, error, param, onChange, ...rest }: Control<'select'>) {
  return (
    <Field {...{ label, hint, error, param }}>
      {(described) => (
        <Select
          {...described}
          name={param}
          {...rest}
          onChange={({ target }) => onChange?.(target.value)}
        />
      )}
    </Field>
  );
}

/** Shows an error, unless it names one of `fields`: those fields show the error themselves. */
export function Fault({
  error,
  fields = [],
}: {
  error: Error | null | undefined;
  fields?: readonly string[];
}) {
  if (!error) return null;
  if (error instanceof ApiError && error.param !== null && fields.includes(error.param))
    return null;
  const id = requestIdOf(error);
  return (
    <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
      {error.message}
      {id !== null && <span className="mt-0.5 block font-mono text-xs">{id}</span>}
    </p>
  );
}
