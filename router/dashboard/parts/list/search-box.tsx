/** A search box that calls `onSearch` once the person has stopped typing. */
import { useEffect, useEffectEvent, useState } from 'react';
import { after } from '../../clock.ts';
import { SearchInput } from './search-input.tsx';

const PAUSE_MS = 250;

type SearchBoxProps = Readonly<{
  /** The accessible name, such as "Search organizations". */
  label: string;
  placeholder: string;
  charsMax: number;
  /** The text that was last searched for. The field follows it when something else changes it. */
  searched: string;
  onSearch: (text: string) => void;
}>;

type Searches = Readonly<{ known: string; coming: readonly string[] }>;

export function SearchBox({ label, placeholder, charsMax, searched, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(searched);
  // `coming`: searches of this box that `searched` does not show yet, because an address changes late.
  const [{ known, coming }, setKnown] = useState<Searches>({ known: searched, coming: [] });
  if (searched !== known) {
    const at = coming.indexOf(searched);
    setKnown({ known: searched, coming: at === -1 ? [] : coming.slice(at + 1) });
    if (at === -1) setText(searched);
  }
  const wanted = text.trim();
  const isSearched = wanted === (coming.at(-1) ?? known);
  const search = useEffectEvent((sought: string) => {
    setKnown({ known, coming: [...coming, sought] });
    onSearch(sought);
  });
  useEffect(
    () => (isSearched ? undefined : after(PAUSE_MS, () => search(wanted))),
    [wanted, isSearched],
  );
  return (
    <div className="w-full sm:w-80">
      <SearchInput {...{ label, placeholder, charsMax }} value={text} onChange={setText} />
    </div>
  );
}
