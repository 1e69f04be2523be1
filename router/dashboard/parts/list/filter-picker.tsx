/** The values of a filter that has many, that are loaded or that are found: a list with a search. */
import { Check } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { foundByName } from '../../format/search-words.ts';
import { SearchedList } from './searched-list.tsx';

/** `note` tells values of the same name apart. */
export type Choice = Readonly<{ value: string; name: string; note?: string }>;

export type ChoosingProps = Readonly<{
  /** What is searched for, such as "key". */
  what: string;
  values: readonly string[];
  /** The most values that can be chosen. */
  most: number;
  onChange: (values: readonly string[]) => void;
  /** Closes the list. */
  onDone: () => void;
}>;

type FilterPickerProps = Readonly<{
  what: string;
  /** The button that opens the list, as a single element. */
  trigger: ReactNode;
  children: (close: () => void) => ReactNode;
}>;

export function FilterPicker({ what, trigger, children }: FilterPickerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={`Filter by ${what}`}
          className="z-50 grid w-[min(22rem,calc(100vw-1rem))] gap-1 rounded-lg border bg-panel p-1 shadow-float"
        >
          {children(() => setOpen(false))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

type LoadedChoicesProps = ChoosingProps &
  Readonly<{
    /** Undefined while they are loaded, and if that failed. */
    choices: readonly Choice[] | undefined;
    error: Error | null;
  }>;

export function LoadedChoices({ choices, error, ...choosing }: LoadedChoicesProps) {
  const none = choices?.length === 0 ? 'No values' : 'No matches';
  return (
    <ChoiceList
      {...choosing}
      placeholder="Search"
      find={(search) => foundByName(choices ?? [], search)}
      none={choices === undefined ? (error?.message ?? 'Loading…') : none}
    />
  );
}

type ChoiceListProps = ChoosingProps &
  Readonly<{
    placeholder: string;
    find: (search: string) => readonly Choice[];
    /** What is said if there is nothing to choose. */
    none: string;
    onSearch?: (search: string) => void;
    charsMax?: number;
  }>;

export function ChoiceList({ what, values, most, onChange, onDone, ...list }: ChoiceListProps) {
  const toggle = ({ value }: Choice) => {
    if (most === 1) {
      onChange([value]);
      onDone();
    } else if (values.includes(value)) {
      onChange(values.filter((one) => one !== value));
    } else if (values.length < most) {
      onChange([...values, value]);
    }
  };
  return (
    <SearchedList
      {...list}
      label={`Filter by ${what}`}
      searchLabel={`Search: ${what}`}
      keyOf={({ value }) => value}
      isChosen={({ value }) => values.includes(value)}
      several={most > 1}
      onChoose={toggle}
    >
      {({ value, name, note }) => (
        <div className="flex items-center gap-2 text-sm">
          <span className="min-w-0 truncate" title={name}>
            {name}
            {note !== undefined && (
              <span className="block truncate text-xs text-muted" title={note}>
                {note}
              </span>
            )}
          </span>
          {values.includes(value) && <Check className="ml-auto size-4 shrink-0" aria-hidden />}
        </div>
      )}
    </SearchedList>
  );
}
