/** A field that finds some of very many things by a search, such as organizations by their names. */
import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { after } from '../../clock.ts';
import { cx } from '../class-names.ts';
import { Input } from '../form/field.tsx';

const PAUSE_MS = 250;

/** `note` tells things of the same name apart. */
export type Found = Readonly<{ id: string; name: string; note: string }>;

type FinderProps = Readonly<{
  label: string;
  placeholder: string;
  charsMax: number;
  chosen: readonly Readonly<{ id: string; name: string }>[];
  /** The most things that can be chosen. */
  most: number;
  /** What was found for the text that `onSearch` was last called with. Undefined while loading. */
  found: readonly Found[] | undefined;
  /** Is called with an empty string when there is nothing to search for. */
  onSearch: (text: string) => void;
  onChoose: (ids: readonly string[]) => void;
}>;

export function Finder({ chosen, most, onChoose, ...rest }: FinderProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const isFull = chosen.length >= most;
  const [removed, setRemoved] = useState(0);
  // The button that removes a choice disappears, so the focus moves to the field.
  useEffect(() => {
    if (removed > 0 && !isFull) field.current?.focus();
  }, [removed, isFull]);
  const ids = chosen.map((one) => one.id);
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {rest.label}
      </label>
      {!isFull && (
        <SearchField
          id={id}
          field={field}
          onChoose={(found) => onChoose([...new Set([...ids, found])])}
          {...rest}
        />
      )}
      {chosen.map((one, index) => (
        <Chosen
          key={one.id}
          id={isFull && index === 0 ? id : undefined}
          name={one.name}
          removes={chosen.length === 1 ? rest.label : `${rest.label} ${one.name}`}
          onRemove={() => {
            setRemoved(removed + 1);
            onChoose(ids.filter((other) => other !== one.id));
          }}
        />
      ))}
    </div>
  );
}

type ChosenProps = Readonly<{
  id: string | undefined;
  name: string;
  removes: string;
  onRemove: () => void;
}>;

function Chosen({ id, name, removes, onRemove }: ChosenProps) {
  return (
    <div className="flex h-8.5 items-center max-sm:h-11 gap-1 rounded-md border border-line-strong bg-panel pr-1 pl-2.5 text-sm">
      <output id={id} className="min-w-0 flex-1 truncate" title={name}>
        {name}
      </output>
      <button
        type="button"
        aria-label={`Remove filter: ${removes}`}
        className="grid size-6 shrink-0 max-sm:size-9 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
        onClick={onRemove}
      >
        <X className="size-4" aria-hidden />
      </button>
    </div>
  );
}

type SearchFieldProps = Omit<FinderProps, 'label' | 'chosen' | 'most' | 'onChoose'> &
  Readonly<{
    id: string;
    field: React.RefObject<HTMLInputElement | null>;
    onChoose: (id: string) => void;
  }>;

function SearchField(props: SearchFieldProps) {
  const { id, field, placeholder, charsMax, found, onSearch, onChoose } = props;
  const [text, setText] = useState('');
  const [searched, setSearched] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState(0);
  const wanted = text.trim();
  useEffect(
    () =>
      wanted === searched
        ? undefined
        : after(wanted === '' ? 0 : PAUSE_MS, () => {
            setSearched(wanted);
            setMarked(0);
            onSearch(wanted);
          }),
    [wanted, searched, onSearch],
  );
  const isShown = isOpen && wanted !== '';
  // The results of an earlier text must not be chosen for this one.
  const rows = wanted === searched ? found : undefined;
  const choose = (row: Found | undefined) => {
    if (row === undefined) return;
    setText('');
    onChoose(row.id);
  };
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setOpen(true);
      const count = rows?.length ?? 0;
      if (count > 0) setMarked((marked + step + count) % count);
    } else if (event.key === 'Enter' && isShown) {
      event.preventDefault();
      choose(rows?.[marked]);
    } else if (event.key === 'Escape') {
      setOpen(false);
    }
  };
  const optionId = (index: number) => `${id}-${index}`;
  return (
    <div className="relative">
      <Input
        id={id}
        ref={field}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? `${id}-list` : undefined}
        aria-activedescendant={isShown && rows?.[marked] ? optionId(marked) : undefined}
        autoComplete="off"
        placeholder={placeholder}
        maxLength={charsMax}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
      />
      {isShown && (
        <div
          id={`${id}-list`}
          role="listbox"
          className="absolute inset-x-0 top-full z-20 mt-1 grid max-h-80 min-w-64 overflow-y-auto rounded-lg border bg-panel p-1 text-sm shadow-lg"
        >
          {rows?.map((row, index) => (
            <button
              key={row.id}
              type="button"
              tabIndex={-1}
              id={optionId(index)}
              role="option"
              aria-selected={index === marked}
              className={cx('rounded-md px-2 py-1.5 text-left', index === marked && 'bg-hover')}
              // The field keeps the focus, so that the list is still there when the click ends.
              onMouseDown={(event) => event.preventDefault()}
              onMouseEnter={() => setMarked(index)}
              onClick={() => choose(row)}
            >
              <span className="block truncate">{row.name}</span>
              <span className="block truncate text-xs text-muted">{row.note}</span>
            </button>
          ))}
          {(rows === undefined || rows.length === 0) && (
            <p className="px-2 py-1.5 text-muted" role="presentation">
              {rows === undefined ? 'Searching…' : 'No matches'}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
