/** A list to choose from, with a search above it that has the keyboard focus. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cx } from '../class-names.ts';
import { Input } from '../form/field.tsx';

type SearchedListProps<Item> = Readonly<{
  /** What is listed, such as "Models". */
  label: string;
  searchLabel: string;
  placeholder: string;
  /** The items that a search finds; all of them if it is empty. */
  find: (search: string) => readonly Item[];
  /** What is said if a search finds nothing. */
  none: string;
  keyOf: (item: Item) => string;
  isChosen: (item: Item) => boolean;
  /** Whether several items can be chosen. */
  several?: boolean;
  /** The index of the item that is active at first. */
  first?: number;
  onChoose: (item: Item) => void;
  /** Hears of every change of the search, for items that are found elsewhere. */
  onSearch?: (search: string) => void;
  /** The most characters of a search. */
  charsMax?: number;
  children: (item: Item) => ReactNode;
}>;

export function SearchedList<Item>({
  label,
  searchLabel,
  placeholder,
  find,
  none,
  keyOf,
  isChosen,
  several = false,
  first = 0,
  onChoose,
  onSearch,
  charsMax,
  children,
}: SearchedListProps<Item>) {
  const id = useId();
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(first);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const shown = find(search);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    if (step !== 0) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(shown.length - 1, at + step)));
    }
    const item = shown[at];
    if (event.key === 'Enter' && item !== undefined) onChoose(item);
  };
  return (
    <>
      <Input
        role="combobox"
        aria-label={searchLabel}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={shown[at] === undefined ? undefined : `${id}-${at}`}
        placeholder={placeholder}
        maxLength={charsMax}
        value={search}
        onChange={({ target }) => {
          setSearch(target.value);
          onSearch?.(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      {shown.length === 0 && <p className="px-2 py-3 text-sm text-muted">{none}</p>}
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={label}
        aria-multiselectable={several}
        className="grid max-h-80 gap-0.5 overflow-y-auto"
      >
        {shown.map((item, index) => (
          // The field has the keyboard focus; `aria-activedescendant` names the active option.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={keyOf(item)}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={isChosen(item)}
            className={cx('cursor-pointer rounded-md px-2 py-1.5', index === at && 'bg-hover')}
            onPointerMove={() => setAt(index)}
            onClick={() => onChoose(item)}
          >
            {children(item)}
          </div>
        ))}
      </div>
    </>
  );
}
