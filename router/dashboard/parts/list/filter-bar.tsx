/** The filters of a list: one button for each, which shows the chosen values and can remove them. */
import { Check, Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../form/button.tsx';
import { cx } from '../class-names.ts';
import { type Choice as Value, FilterPicker, LoadedChoices } from './filter-picker.tsx';
import { FoldedFilters } from './folded-filters.tsx';
import { FoundChoices, type FoundOptions } from './found-choices.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel } from '../menu.tsx';

/** A filter with more values than this has a search, as one whose values are loaded. */
const SEARCHED_FROM = 10;

type Choices = readonly Value[];

/** Choices that are always there, that are loaded, or that a search finds. */
export type FilterOptions =
  | Readonly<{ choices: Choices }>
  | Readonly<{ choices: Choices | undefined; error: Error | null }>
  | FoundOptions;

/** `most`: the most values that it can have, if it differs from that of the others. */
type FilterOf<Filter extends string> = Readonly<{
  filter: Filter;
  name: string;
  options: FilterOptions;
  most?: number;
}>;

type FilterBarProps<Filter extends string> = Readonly<{
  filters: readonly FilterOf<Filter>[];
  values: Readonly<Partial<Record<Filter, readonly string[]>>>;
  /** The most values that one filter can have. */
  most?: number;
  /** The values are from the options, or were there before. */
  onChange: (filter: Filter, values: readonly string[]) => void;
  onClear: () => void;
}>;

/** On a phone, the filters stand behind a button. */
export function FilterBar<Filter extends string>(bar: FilterBarProps<Filter>) {
  const count = bar.filters.filter(({ filter }) => isSet(bar.values[filter])).length;
  return (
    <div className="grid gap-2">
      <FoldedFilters count={count} className="w-full">
        <FilterButtons {...bar} />
      </FoldedFilters>
    </div>
  );
}

function isSet(values: readonly string[] | undefined): boolean {
  return values !== undefined && values.length > 0;
}

/** The filters alone, where they are folded together with others, or by a button elsewhere. */
export function FilterButtons<Filter extends string>({
  filters,
  values,
  most = 1,
  onChange,
  onClear,
}: FilterBarProps<Filter>) {
  const chosen = filters.filter(({ filter }) => isSet(values[filter]));
  return (
    <div className="flex flex-wrap items-center gap-2" role="group" aria-label="Filters">
      {filters.map(({ filter, name, options, most: ownMost = most }) => (
        <FilterButton
          key={filter}
          name={name}
          options={options}
          values={values[filter] ?? []}
          most={ownMost}
          onChange={(next) => onChange(filter, next)}
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
  values: readonly string[];
  most: number;
  onChange: (values: readonly string[]) => void;
}>;

function FilterButton({ name, options, values, most, onChange }: FilterButtonProps) {
  const choices = 'found' in options ? options.chosen : options.choices;
  const button = useRef<HTMLButtonElement>(null);
  const isChosen = values.length > 0;
  const names = new Map(choices?.map((choice) => [choice.value, choice.name]));
  /** A key that no longer exists is shown by its id. */
  const shown = values.map((value) => names.get(value) ?? value);
  const lost = values.filter((value) => !names.has(value)).map((value) => ({ value, name: value }));
  const all = choices && [...choices, ...lost];
  const what = `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
  const trigger = (
    <button
      type="button"
      ref={button}
      aria-label={isChosen ? undefined : `Filter by ${what}`}
      className={cx(
        'inline-flex h-full min-w-0 items-center gap-1 rounded-full pl-2.5 text-muted hover:text-ink',
        isChosen ? 'pr-1' : 'pr-2.5',
      )}
    >
      {!isChosen && <Plus className="size-3.5 shrink-0" />}
      <span className="shrink-0">{isChosen ? `${name}: ` : name}</span>
      {isChosen && (
        <span className="max-w-96 truncate font-medium text-ink" title={shown.join(', ')}>
          {shown.length > 2 ? `${shown[0]} and ${shown.length - 1} more` : shown.join(', ')}
        </span>
      )}
    </button>
  );
  return (
    <div
      className={cx(
        'inline-flex h-7 max-sm:h-11 max-w-full items-center rounded-full border text-xs',
        isChosen ? 'border-accent bg-accent-soft' : 'border-dashed border-line-strong',
      )}
    >
      {'error' in options || options.choices.length > SEARCHED_FROM ? (
        <FilterPicker {...{ what, trigger }}>
          {(onDone) => {
            const choosing = { what, values, most, onChange, onDone };
            return 'found' in options ? (
              <FoundChoices {...choosing} options={options} />
            ) : (
              <LoadedChoices
                {...choosing}
                choices={all}
                error={'error' in options ? options.error : null}
              />
            );
          }}
        </FilterPicker>
      ) : (
        <Menu align="start" trigger={trigger}>
          {all?.map((choice) => (
            <Choice key={choice.value} {...{ choice, values, most, onChange }} />
          ))}
          {choices?.length === 0 && <MenuLabel>No values</MenuLabel>}
        </Menu>
      )}
      {isChosen && (
        <button
          type="button"
          aria-label={`Remove filter: ${name}`}
          className="mr-1 grid size-5 shrink-0 place-items-center rounded-full text-muted hover:bg-hover hover:text-ink"
          onClick={() => {
            onChange([]);
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

type ChoiceProps = Pick<FilterButtonProps, 'values' | 'most' | 'onChange'> &
  Readonly<{ choice: Readonly<{ value: string; name: string }> }>;

function Choice({ choice: { value, name }, values, most, onChange }: ChoiceProps) {
  const isChosen = values.includes(value);
  const shown = <span className="max-w-80 truncate">{name}</span>;
  if (most === 1) {
    return (
      <MenuItem onSelect={() => onChange([value])}>
        {shown}
        {isChosen && <Check className="ml-auto" aria-label="chosen" />}
      </MenuItem>
    );
  }
  return (
    <MenuChoice
      isChosen={isChosen}
      disabled={!isChosen && values.length >= most}
      onChange={(chosen) =>
        onChange(chosen ? [...values, value] : values.filter((one) => one !== value))
      }
    >
      {shown}
    </MenuChoice>
  );
}
