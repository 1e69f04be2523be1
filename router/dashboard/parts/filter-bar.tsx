/** The filters of a list: one button for each, which shows the chosen value and can remove it. */
import { Check, Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { Button } from './button.tsx';
import { cx } from './class-names.ts';
import { Menu, MenuItem, MenuLabel } from './menu.tsx';

export type FilterOptions = Readonly<{
  choices: readonly Readonly<{ value: string; name: string }>[] | undefined;
  error?: Error | null;
}>;

type FilterBarProps<Filter extends string> = Readonly<{
  filters: readonly Readonly<{ filter: Filter; name: string; options: FilterOptions }>[];
  search: Readonly<Partial<Record<Filter, string | undefined>>>;
  /** The value comes from the options, or is undefined. */
  onChange: (filter: Filter, value: string | undefined) => void;
  onClear: () => void;
}>;

export function FilterBar<Filter extends string>({
  filters,
  search,
  onChange,
  onClear,
}: FilterBarProps<Filter>) {
  const chosen = filters.filter(({ filter }) => search[filter] !== undefined);
  return (
    <div className="flex flex-wrap items-center gap-2" role="group" aria-label="Filters">
      {filters.map(({ filter, name, options }) => (
        <FilterButton
          key={filter}
          name={name}
          options={options}
          value={search[filter]}
          onChange={(value) => onChange(filter, value)}
        />
      ))}
      {chosen.length > 1 && (
        <Button look="ghost" size="small" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

type FilterButtonProps = Readonly<{
  name: string;
  options: FilterOptions;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}>;

function FilterButton({ name, options: { choices, error }, value, onChange }: FilterButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const isChosen = value !== undefined;
  /** A key that no longer exists is shown by its id. */
  const shown = choices?.find((choice) => choice.value === value)?.name ?? value;
  return (
    <div
      className={cx(
        'inline-flex h-7 max-w-full items-center rounded-full border border-line-strong text-xs',
        isChosen ? 'bg-panel' : 'border-dashed',
      )}
    >
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            ref={button}
            aria-label={isChosen ? undefined : `Filter by ${name.toLowerCase()}`}
            className={cx(
              'inline-flex h-full min-w-0 items-center gap-1 rounded-full pl-2.5 text-muted hover:text-ink',
              isChosen ? 'pr-1' : 'pr-2.5',
            )}
          >
            {!isChosen && <Plus className="size-3.5 shrink-0" />}
            <span className="shrink-0">{isChosen ? `${name}: ` : name}</span>
            {isChosen && <span className="truncate font-medium text-ink">{shown}</span>}
          </button>
        }
      >
        {choices?.map((choice) => (
          <MenuItem key={choice.value} onSelect={() => onChange(choice.value)}>
            <span className="max-w-80 truncate">{choice.name}</span>
            {choice.value === value && <Check className="ml-auto" aria-label="chosen" />}
          </MenuItem>
        ))}
        {choices?.length === 0 && <MenuLabel>No values</MenuLabel>}
        {choices === undefined && <MenuLabel>{error ? error.message : 'Loading…'}</MenuLabel>}
      </Menu>
      {isChosen && (
        <button
          type="button"
          aria-label={`Remove filter: ${name}`}
          className="mr-1 grid size-5 shrink-0 place-items-center rounded-full text-muted hover:bg-hover hover:text-ink"
          onClick={() => {
            onChange(undefined);
            // This button disappears, so the focus moves to the button of the filter.
            button.current?.focus();
          }}
        >
          <X className="size-3.5" aria-hidden />
        </button>
      )}
    </div>
  );
}
