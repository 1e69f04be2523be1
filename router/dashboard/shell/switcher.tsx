import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import type { Me } from '../../../shared/api/people.ts';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../parts/menu.tsx';
import { Mark } from './mark.tsx';

type SwitcherProps = Readonly<{ me: Me; current: { id: string; name: string } | null }>;

/** Shows the current organization, and a menu of all organizations of the person. */
export function Switcher({ me, current }: SwitcherProps) {
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex w-full min-w-0 items-center gap-2.5 rounded-lg px-2 py-1.5 text-left hover:bg-hover max-lg:min-h-11"
        >
          <Mark />
          <span className="min-w-0 flex-1 truncate text-sm font-semibold">
            {current?.name ?? 'Penstock'}
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" />
          <span className="sr-only">Switch organization</span>
        </button>
      }
    >
      <MenuLabel>Organizations</MenuLabel>
      {me.organizations.map(({ id, name }) => (
        <MenuItem key={id} asChild>
          <Link to="/$organization" params={{ organization: id }}>
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {id === current?.id && <Check aria-label="current" />}
          </Link>
        </MenuItem>
      ))}
      {me.organizations.length === 0 && <MenuLabel>No organizations yet</MenuLabel>}
      <MenuLine />
      <MenuItem asChild>
        <Link to="/new-organization">
          <Plus /> New organization
        </Link>
      </MenuItem>
    </Menu>
  );
}
