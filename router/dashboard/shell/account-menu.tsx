import { Link } from '@tanstack/react-router';
import {
  BookOpen,
  ChevronsUpDown,
  Clock,
  LifeBuoy,
  LogOut,
  Moon,
  Sun,
  UserRound,
} from 'lucide-react';
import type { Me } from '../../../shared/api/people.ts';
import { Menu, MenuItem, MenuLine } from '../parts/menu.tsx';
import { contactLink } from '../service.ts';
import { setZone, useZone } from '../zone.ts';
import { useSignOut } from './leave.ts';
import { setTheme, useTheme } from './theme.ts';

export function AccountMenu({ me }: { me: Me }) {
  const theme = useTheme();
  const zone = useZone();
  const contact = contactLink();
  const signOut = useSignOut();
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex w-full min-w-0 items-center gap-2.5 rounded-lg px-2 py-1.5 text-left hover:bg-hover"
        >
          <span
            aria-hidden
            className="grid size-6.5 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
          >
            {me.name.slice(0, 1).toUpperCase()}
          </span>
          <span className="grid min-w-0 flex-1">
            <span className="truncate text-sm font-medium">{me.name}</span>
            <span className="truncate text-xs text-muted">{me.email}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" />
          <span className="sr-only">Account menu</span>
        </button>
      }
    >
      <MenuItem asChild>
        <Link to="/account">
          <UserRound /> Account
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/docs/api">
          <BookOpen /> Management API
        </Link>
      </MenuItem>
      {contact !== null && (
        <MenuItem asChild>
          <a href={contact}>
            <LifeBuoy /> Contact support
          </a>
        </MenuItem>
      )}
      <MenuItem onSelect={() => setTheme(theme === 'dark' ? 'light' : 'dark')}>
        {theme === 'dark' ? <Sun /> : <Moon />} {theme === 'dark' ? 'Light theme' : 'Dark theme'}
      </MenuItem>
      <MenuItem onSelect={() => setZone(zone === 'UTC' ? 'local' : 'UTC')}>
        <Clock /> {zone === 'UTC' ? 'Times in your time zone' : 'Times in UTC'}
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={signOut}>
        <LogOut /> Sign out
      </MenuItem>
    </Menu>
  );
}
