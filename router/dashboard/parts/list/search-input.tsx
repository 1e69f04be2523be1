/** A field for a search, with a button that clears it. */
import { Search, X } from 'lucide-react';
import { useRef } from 'react';
import { Input } from '../form/field.tsx';

type SearchInputProps = Readonly<{
  /** The accessible name, such as "Search organizations". */
  label: string;
  placeholder: string;
  charsMax: number;
  value: string;
  onChange: (text: string) => void;
}>;

export function SearchInput({ label, placeholder, charsMax, value, onChange }: SearchInputProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <div className="relative w-full">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <Input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={charsMax}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
          // A form around the field is sent by its button.
          if (event.key === 'Enter') event.preventDefault();
        }}
        // The browser's own button has the browser's colour.
        className="pr-8.5 pl-8.5 [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== '' && (
        <button
          type="button"
          aria-label="Clear search"
          className="absolute top-1/2 right-1.5 grid size-6 -translate-y-1/2 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
          onClick={() => {
            onChange('');
            // The button disappears, so the focus moves to the field.
            field.current?.focus();
          }}
        >
          <X className="size-4" aria-hidden />
        </button>
      )}
    </div>
  );
}
