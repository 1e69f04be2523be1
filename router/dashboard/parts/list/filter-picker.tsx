/** The values of a filter that has many, or that are loaded: a list with a search. */
import { Check } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { foundByName } from '../../format/search-words.ts';
import { SearchedList } from './searched-list.tsx';

type Choice = Readonly<{ value: string; name: string }>;

type ChoicesProps = Readonly<{
  /** What is searched for, such as "key". */
  what: string;
  /** Undefined while they are loaded, and if that failed. */
  choices: readonly Choice[] | undefined;
  error: Error | null;
  values: readonly string[];
  /** The most values that can be chosen. */
  most: number;
  onChange: (values: readonly string[]) => void;
}>;

/** `trigger`: the button that opens the list, as a single element. */
export function FilterPicker({
  trigger,
  ...choices
}: ChoicesProps & Readonly<{ trigger: ReactNode }>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={`Filter by ${choices.what}`}
          className="z-50 grid w-[min(22rem,calc(100vw-1rem))] gap-1 rounded-lg border bg-panel p-1 shadow-float"
        >
          <Choices {...choices} onDone={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Choices({
  what,
  choices,
  error,
  values,
  most,
  onChange,
  onDone,
}: ChoicesProps & Readonly<{ onDone: () => void }>) {
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
  const none = choices?.length === 0 ? 'No values' : 'No matches';
  return (
    <SearchedList
      label={`Filter by ${what}`}
      searchLabel={`Search for a ${what}`}
      placeholder="Search"
      find={(search) => foundByName(choices ?? [], search)}
      none={choices === undefined ? (error?.message ?? 'Loading…') : none}
      keyOf={({ value }) => value}
      isChosen={({ value }) => values.includes(value)}
      several={most > 1}
      onChoose={toggle}
    >
      {({ value, name }) => (
        <div className="flex items-center gap-2 text-sm">
          <span className="min-w-0 truncate" title={name}>
            {name}
          </span>
          {values.includes(value) && <Check className="ml-auto size-4 shrink-0" aria-hidden />}
        </div>
      )}
    </SearchedList>
  );
}
