import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Raw } from '../search-values.ts';
import { useSearchChange } from './list/use-search-change.ts';

const readOpen = (raw: Raw) => ({ open: raw['open'] });

/**
 * Which of several dialogs is open, null if none is, and a function that opens one or closes it. The
 * address opens a dialog with `?open=NAME`, which is taken out when the dialog closes.
 */
export function useOpenedOne<Name extends string>(
  names: readonly Name[],
): readonly [Name | null, (name: Name | null) => void] {
  const [opened, setOpened] = useState<Name | null>(null);
  const search: Readonly<{ open?: unknown }> = useSearch({ strict: false });
  const changeSearch = useSearchChange(readOpen);
  const asked = names.find((name) => name === search.open) ?? null;
  const change = (name: Name | null) => {
    setOpened(name);
    if (name !== null || asked === null) return;
    changeSearch({ open: undefined });
  };
  return [opened ?? asked, change];
}

/** Whether the one dialog of this name is open, and a function that opens or closes it. */
export function useOpened(name: string): readonly [boolean, (open: boolean) => void] {
  const [opened, setOpened] = useOpenedOne([name]);
  return [opened !== null, (open) => setOpened(open ? name : null)];
}
