/** Fields, each with its type, whether it is required, and what it is for. */
import { type ReactNode, useId, useState } from 'react';
import { Code } from '../../parts/shown.tsx';
import type { Field, Nested } from './fields.ts';
import { Prose } from './prose.tsx';

type FieldListProps = Readonly<{
  fields: readonly Field[];
  /** In an answer, no field is optional in a way that concerns the reader. */
  isAnswer?: boolean;
}>;

export function FieldList({ fields, isAnswer = false }: FieldListProps) {
  return (
    <ul className="divide-y">
      {fields.map((field) => (
        <FieldRow key={field.name} field={field} isAnswer={isAnswer} />
      ))}
    </ul>
  );
}

function FieldRow({ field, isAnswer }: { field: Field; isAnswer: boolean }) {
  const { name, type, required, nullable, description, values, initial, limits, nested } = field;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 py-2.5 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <code className="font-mono text-xs font-semibold wrap-anywhere">{name}</code>
        <span className="text-xs text-muted">
          {type}
          {nullable && ' or null'}
        </span>
        {!isAnswer && required && <span className="text-xs font-medium text-warn">required</span>}
      </p>
      {description !== null && (
        <p className="text-muted">
          <Prose text={description} />
        </p>
      )}
      {values.length > 0 && (
        <Fact name={values.length === 1 ? 'Always' : 'One of'}>
          {values.map((value) => (
            <Code key={value}>{value}</Code>
          ))}
        </Fact>
      )}
      {initial !== null && (
        <Fact name="Default">
          <Code>{initial}</Code>
        </Fact>
      )}
      {!isAnswer && limits !== null && <Fact name="Limits">{limits}</Fact>}
      {nested.map((one, at) => (
        <NestedFields key={at} of={one} name={name} isAnswer={isAnswer} />
      ))}
    </li>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-1.5 gap-y-1 text-xs text-muted">
      {name}: {children}
    </p>
  );
}

type NestedFieldsProps = Readonly<{ of: Nested; name: string; isAnswer: boolean }>;

/** The fields of an object in a field. They are drawn when they are opened. */
function NestedFields({ of: { title, fields }, name, isAnswer }: NestedFieldsProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="mt-1 rounded-lg border">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="w-full rounded-lg px-3 py-1.5 text-left text-xs font-medium text-muted hover:text-ink"
      >
        {isOpen ? '− Hide' : '+ Show'} the fields of <code className="font-mono">{name}</code>
        {title !== null && (
          <>
            {' '}
            if <code className="font-mono">{title}</code>
          </>
        )}
      </button>
      <div id={id} className="px-3">
        {isOpen && (
          <div className="border-t">
            <FieldList fields={fields()} isAnswer={isAnswer} />
          </div>
        )}
      </div>
    </div>
  );
}
