/** The values of a filter that has many: a list with a search. */
import { Check } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { searchWords } from '../format/search-words.ts';
import { cx } from './class-names.ts';
import { Input } from './field.tsx';

type Choice = Readonly<{ value: string; name: string }>;

type ChoicesProps = Readonly<{
  /** What is searched for, such as "key". */
  what: string;
  choices: readonly Choice[];
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

/** The choices that have each word of the search; first those that begin with it. */
function foundIn(choices: readonly Choice[], search: string): readonly Choice[] {
  const words = searchWords(search);
  const start = words.join(' ');
  const isAfter = ({ name }: Choice) => Number(!name.toLowerCase().startsWith(start));
  return choices
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .toSorted((one, other) => isAfter(one) - isAfter(other));
}

function Choices({
  what,
  choices,
  values,
  most,
  onChange,
  onDone,
}: ChoicesProps & Readonly<{ onDone: () => void }>) {
  const id = useId();
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const shown = foundIn(choices, search);
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
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    if (step !== 0) {
      event.preventDefault();
      setAt(Math.min(shown.length - 1, Math.max(0, at + step)));
    }
    const choice = shown[at];
    if (event.key === 'Enter' && choice) toggle(choice);
  };
  return (
    <>
      <Input
        role="combobox"
        aria-label={`Search for a ${what}`}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={shown[at] ? `${id}-${at}` : undefined}
        placeholder="Search"
        value={search}
        onChange={({ target }) => {
          setSearch(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      {shown.length === 0 && <p className="px-2 py-3 text-sm text-muted">No matches</p>}
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={`Filter by ${what}`}
        aria-multiselectable={most > 1}
        className="grid max-h-80 overflow-y-auto"
      >
        {shown.map((choice, index) => (
          // The field has the keyboard focus; `aria-activedescendant` names the active option.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={choice.value}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={values.includes(choice.value)}
            className={cx(
              'flex cursor-pointer items-center gap-2 rounded-md px-2 py-1.5 text-sm',
              index === at && 'bg-hover',
            )}
            onPointerMove={() => setAt(index)}
            onClick={() => toggle(choice)}
          >
            <span className="min-w-0 truncate" title={choice.name}>
              {choice.name}
            </span>
            {values.includes(choice.value) && (
              <Check className="ml-auto size-4 shrink-0" aria-hidden />
            )}
          </div>
        ))}
      </div>
    </>
  );
}
