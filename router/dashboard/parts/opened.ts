import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

/**
 * Whether a dialog is open, and a function that opens or closes it. The address opens it with
 * `?open=NAME`, which is taken out when the dialog closes.
 */
export function useOpened(name: string): readonly [boolean, (open: boolean) => void] {
  const [isOpen, setOpen] = useState(false);
  const search: Readonly<{ open?: unknown }> = useSearch({ strict: false });
  const navigate = useNavigate();
  const isAsked = search.open === name;
  const change = (open: boolean) => {
    setOpen(open);
    if (open || !isAsked) return;
    const rest = { ...search, open: undefined };
    void navigate({ to: '.', search: rest as never, replace: true, resetScroll: false });
  };
  return [isOpen || isAsked, change];
}
