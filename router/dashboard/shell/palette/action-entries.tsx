/** What a person does from anywhere. */
import { useNavigate } from '@tanstack/react-router';
import { Clock, CreditCard, KeyRound, LogOut, Moon, Sun, UserPlus } from 'lucide-react';
import { PAGES } from '../../pages.ts';
import { useMay } from '../../session.tsx';
import { useIsHelpedByCredit, useIsSuspended } from '../../suspension.ts';
import { setZone, useZone } from '../../zone.ts';
import { useSignOut } from '../leave.ts';
import { setTheme, useTheme } from '../theme.ts';
import type { Entry, EntryGroup } from './entry.ts';

/** `shown`: null when no organization is shown. */
export function useActionGroup(shown: string | null): EntryGroup {
  const navigate = useNavigate();
  const [mayKeys, mayMembers, mayBill] = [useMay('keys'), useMay('members'), useMay('billing')];
  const isSuspended = useIsSuspended();
  const isHelpedByCredit = useIsHelpedByCredit();
  const params = { organization: shown ?? '' };
  const inside: readonly (Entry & Readonly<{ may: boolean }>)[] = [
    {
      key: 'action create-key',
      icon: <KeyRound />,
      name: 'Create an API key',
      words: ['new key', 'token'],
      may: mayKeys && !isSuspended,
      open: () => navigate({ to: PAGES.keys.path, params, search: { open: 'create' } as never }),
    },
    {
      key: 'action invite',
      icon: <UserPlus />,
      name: 'Invite a member',
      may: mayMembers,
      open: () => navigate({ to: PAGES.members.path, params, search: { open: 'invite' } as never }),
    },
    {
      key: 'action top-up',
      icon: <CreditCard />,
      name: 'Add credit',
      words: ['pay', 'top up', 'buy credit'],
      may: mayBill && isHelpedByCredit,
      open: () => navigate({ to: PAGES.billing.path, params }),
    },
  ];
  const signOut = useSignOut();
  return {
    title: 'Actions',
    entries: [
      ...inside.filter(({ may }) => shown !== null && may),
      ...useDisplayActions(),
      {
        key: 'action sign-out',
        icon: <LogOut />,
        name: 'Sign out',
        words: ['log out', 'logout', 'leave'],
        open: signOut,
      },
    ],
  };
}

/** The actions that strangers have, too. */
export function useDisplayActions(): readonly Entry[] {
  const isDark = useTheme() === 'dark';
  const isUtc = useZone() === 'UTC';
  return [
    {
      key: 'action theme',
      icon: isDark ? <Sun /> : <Moon />,
      name: isDark ? 'Switch to the light theme' : 'Switch to the dark theme',
      words: ['theme', 'dark mode', 'light mode'],
      open: () => setTheme(isDark ? 'light' : 'dark'),
    },
    {
      key: 'action zone',
      icon: <Clock />,
      name: isUtc ? 'Show times in your time zone' : 'Show times in UTC',
      words: ['time zone'],
      open: () => setZone(isUtc ? 'local' : 'UTC'),
    },
  ];
}
