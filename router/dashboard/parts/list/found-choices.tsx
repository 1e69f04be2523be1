/** The values of a filter of which there are too many to load: the server finds them by a search. */
import { useEffect, useState } from 'react';
import { SEARCH_CHARS_MAX } from '../../../../shared/bounds/search-chars.ts';
import { after } from '../../clock.ts';
import { type Choice, ChoiceList, type ChoosingProps } from './filter-picker.tsx';

const PAUSE_MS = 250;

export type FoundOptions = Readonly<{
  /** What can be searched for, such as "Name or email". */
  placeholder: string;
  /** The values that are chosen, by their names. */
  chosen: readonly Choice[];
  /** The text that was last searched for; empty if there is nothing to search for. */
  searched: string;
  /** What was found for it. Undefined while it is searched for, and if that failed. */
  found: readonly Choice[] | undefined;
  error: Error | null;
  /** Called when the person has stopped typing. */
  onSearch: (text: string) => void;
}>;

type FoundChoicesProps = ChoosingProps & Readonly<{ options: FoundOptions }>;

/** Before anything is searched for, the chosen values are listed, so that they can be taken away. */
export function FoundChoices({ options, ...choosing }: FoundChoicesProps) {
  const { placeholder, chosen, searched, found, error, onSearch } = options;
  const [typed, setTyped] = useState('');
  const wanted = typed.trim();
  useEffect(
    () =>
      wanted === searched ? undefined : after(wanted === '' ? 0 : PAUSE_MS, () => onSearch(wanted)),
    [wanted, searched, onSearch],
  );
  // What an earlier search has found must not be chosen for this one.
  const rows = wanted === '' ? chosen : wanted === searched ? found : undefined;
  const fault = wanted === searched ? error : null;
  return (
    <ChoiceList
      {...choosing}
      placeholder={placeholder}
      charsMax={SEARCH_CHARS_MAX}
      find={() => rows ?? []}
      none={wanted === '' ? 'Type to search' : noneOf(rows, fault)}
      onSearch={setTyped}
    />
  );
}

function noneOf(rows: readonly Choice[] | undefined, fault: Error | null): string {
  return rows === undefined ? (fault?.message ?? 'Searching…') : 'No matches';
}
