/** How rows of a table are selected, and what can be done with those that are. */
import type { ComponentProps, ReactNode } from 'react';
import { shownCount } from '../../format/count.ts';
import { Button } from '../form/button.tsx';

const BOX = 'size-4 shrink-0 accent-accent';

/** Returns the selection with one row more, or without it if it was selected. */
export function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return selected.has(id)
    ? new Set([...selected].filter((one) => one !== id))
    : new Set([...selected, id]);
}

type SelectRowProps = Readonly<{
  /** What is selected, for screen readers. */
  name: string;
  checked: boolean;
  disabled?: boolean;
  /** Why it cannot be selected. */
  why?: string | undefined;
  onToggle: () => void;
}>;

export function SelectRow({ name, checked, disabled = false, why, onToggle }: SelectRowProps) {
  return (
    <input
      type="checkbox"
      className={BOX}
      aria-label={name}
      title={why}
      checked={checked}
      disabled={disabled}
      onChange={onToggle}
    />
  );
}

type EveryProps = Readonly<{
  /** The rows that can be selected. */
  ids: readonly string[];
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
}>;

/** Selects all rows, from the heading of their table. `name`: such as "Select all connected hosts". */
export function SelectEvery({ name, ...rows }: EveryProps & Readonly<{ name: string }>) {
  return <EveryBox aria-label={name} title={name} {...rows} />;
}

function EveryBox({
  ids,
  selected,
  onSelect,
  ...named
}: EveryProps & Omit<ComponentProps<'input'>, keyof EveryProps>) {
  const isEvery = ids.length > 0 && ids.every((id) => selected.has(id));
  return (
    <input
      type="checkbox"
      className={BOX}
      checked={isEvery}
      disabled={ids.length === 0}
      onChange={() => onSelect(new Set(isEvery ? [] : ids))}
      {...named}
    />
  );
}

type SelectAllProps = EveryProps &
  Readonly<{
    /** Such as "Select all connected hosts". */
    children: ReactNode;
    /** A button for all rows, whatever is selected. */
    action?: ReactNode;
  }>;

export function SelectAll({ children, action, ...rows }: SelectAllProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 border-t px-5 py-2">
      <label className="flex items-center gap-3 text-sm text-muted">
        <EveryBox {...rows} />
        {children}
      </label>
      {action}
    </div>
  );
}

type SelectedProps = Readonly<{ count: number; onClear: () => void; children: ReactNode }>;

/** `children`: the buttons that act on the selected rows. */
export function Selected({ count, onClear, children }: SelectedProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-t bg-sunken/60 px-5 py-2 text-sm">
      <span className="mr-2" role="status">
        {shownCount(count)} selected
      </span>
      {children}
      <Button size="small" look="ghost" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  );
}
