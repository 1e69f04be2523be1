/** A search box that calls `onSearch` once the person has stopped typing. */
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { after } from '../../clock.ts';
import { Input } from '../../parts/field.tsx';

const PAUSE_MS = 250;

type SearchBoxProps = Readonly<{
  /** The accessible name, such as "Search organizations". */
  label: string;
  placeholder: string;
  charsMax: number;
  /** The text at first. */
  initial?: string | undefined;
  onSearch: (text: string) => void;
}>;

export function SearchBox({ label, placeholder, charsMax, initial, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(initial ?? '');
  useEffect(() => after(PAUSE_MS, () => onSearch(text.trim())), [text, onSearch]);
  return (
    <div className="relative w-full sm:w-80">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={charsMax}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="pl-8.5"
      />
    </div>
  );
}
