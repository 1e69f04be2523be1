/**
 * The palette, which finds pages, models, keys, members and requests by name. It is loaded when it
 * is first opened.
 */
import { useLocation } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { after } from '../../clock.ts';
import { isOperatorPath } from '../../pages.ts';
import { cx } from '../../parts/class-names.ts';
import { focusOn } from '../../parts/form/focus.ts';
import { OrganizationShown, useIsViewer, useMe } from '../../session.tsx';
import { useActionGroup } from './action-entries.tsx';
import { useDocsGroup } from './docs-entries.tsx';
import {
  useOperatorGroups,
  useOrganizationGroups,
  useOwnGroup,
  usePageGroup,
  useRequestGroup,
} from './entries.tsx';
import type { Entry, EntryGroup } from './entry.ts';
import { useErrorGroup } from './error-entries.tsx';
import { useLookupGroup } from './lookup-entries.tsx';
import { useOperatorActions } from './operator-actions.tsx';
import { PALETTE_BOX, PALETTE_CHARS_MAX, PALETTE_FIELD } from './palette-waiting.tsx';
import { ranked } from './rank.ts';
import { recentKeys, rememberKey } from './recent.ts';
import { useStrangerGroups } from './stranger-entries.tsx';
import { refusalOf } from './verbs.ts';

const PAUSE_MS = 150;

type PaletteProps = Readonly<{
  /** Nobody is signed in, so only the public pages are found. */
  isStranger: boolean;
  /** What can be searched for. */
  hint: string;
  /** The organization that is shown; null when there is none. */
  organization: string | null;
  /** What was typed while this file was being loaded. */
  typed: string;
  /** The element that had the focus before. It gets it back unless a page is opened. */
  opener: Element | null;
  onClose: () => void;
}>;

export default function Palette({ isStranger, hint, ...rest }: PaletteProps) {
  const { organization, typed, opener, onClose } = rest;
  const isGone = useRef(false);
  const leave = () => {
    isGone.current = true;
    onClose();
  };
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          className={PALETTE_BOX}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // After a page was chosen, reading goes on there.
            const next = isGone.current ? document.querySelector('#content') : opener;
            if (next instanceof HTMLElement) next.focus();
          }}
        >
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <OrganizationShown id={organization ?? ''}>
            {isStranger ? (
              <StrangersFinder hint={hint} typed={typed} onLeave={leave} />
            ) : (
              <OwnFinder organization={organization} hint={hint} typed={typed} onLeave={leave} />
            )}
          </OrganizationShown>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type OfFinder = Readonly<{ hint: string; typed: string; onLeave: () => void }>;

function OwnFinder({ organization, typed, ...rest }: OfFinder & { organization: string | null }) {
  const [search, setSearch] = useState(typed);
  const refusal = refusalOf(search);
  const none = useIsViewer() && refusal !== null ? `${NOTHING} ${refusal}` : NOTHING;
  const groups = useGroups(organization, search);
  return <Finder {...{ groups, none, search, setSearch, ...rest }} />;
}

function StrangersFinder({ typed, ...rest }: OfFinder) {
  const [search, setSearch] = useState(typed);
  return <Finder groups={useStrangerGroups()} none={NOTHING} {...{ search, setSearch, ...rest }} />;
}

const NOTHING = 'Nothing found. Search for a name, an ID or an email address.';

type FinderProps = Omit<OfFinder, 'typed'> &
  Readonly<{
    groups: readonly EntryGroup[];
    /** Said when nothing is found. */
    none: string;
    search: string;
    setSearch: (search: string) => void;
  }>;

function Finder({ groups, none, search, setSearch, hint, onLeave }: FinderProps) {
  const [recent] = useState(recentKeys);
  const shown = ranked(groups, search, recent);
  const keys = shown.flatMap(({ entries }) => entries.map(({ key }) => key));
  const [chosen, setChosen] = useState('');
  // Entries come and go while the person types and while lists are loaded.
  const value = keys.includes(chosen) ? chosen : (keys[0] ?? '');
  const ask = (text: string) => {
    setSearch(text);
    setChosen('');
  };
  return (
    <Command label="Search" shouldFilter={false} value={value} onValueChange={setChosen} loop>
      <div className="flex items-center gap-2.5 border-b px-4">
        <Search className="size-4 shrink-0 text-muted" aria-hidden />
        <Command.Input
          ref={focusOn}
          value={search}
          onValueChange={ask}
          maxLength={PALETTE_CHARS_MAX}
          placeholder={hint}
          className={PALETTE_FIELD}
        />
      </div>
      <Command.List
        label="Results"
        className={cx(
          'max-h-[min(26rem,60dvh)] overflow-y-auto overscroll-contain',
          shown.length > 0 && 'p-2',
        )}
      >
        {shown.map(({ title, entries }) => (
          <Command.Group
            key={title}
            heading={title}
            className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
          >
            {entries.map((entry) => (
              <Item
                key={entry.key}
                entry={entry}
                onOpen={() => {
                  if (entry.fills !== undefined) {
                    ask(entry.fills);
                    return;
                  }
                  onLeave();
                  rememberKey(entry.key);
                  void entry.open();
                }}
              />
            ))}
          </Command.Group>
        ))}
      </Command.List>
      {/* Beside the list, since a list of results has only results in it. */}
      {shown.length === 0 && (
        <p role="status" className="px-3 py-8 text-center text-sm text-muted">
          {none}
        </p>
      )}
    </Command>
  );
}

function Item({
  entry: { key, icon, name, note },
  onOpen,
}: Readonly<{ entry: Entry; onOpen: () => void }>) {
  return (
    <Command.Item
      value={key}
      onSelect={onOpen}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-2 text-sm max-sm:min-h-11 data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted"
    >
      {icon}
      <span className="min-w-0 truncate max-sm:whitespace-normal">{name}</span>
      {/* It is cut before the name is. */}
      {note !== undefined && (
        <span className="ml-auto min-w-0 shrink-1000 truncate pl-3 text-xs text-muted">{note}</span>
      )}
    </Command.Item>
  );
}

function useGroups(organization: string | null, search: string): readonly EntryGroup[] {
  const me = useMe();
  const [settled, setSettled] = useState('');
  useEffect(() => after(PAUSE_MS, () => setSettled(search.trim())), [search]);
  const request = useRequestGroup(search, me, organization);
  const pages = usePageGroup(organization);
  const inside = useOrganizationGroups(organization);
  const own = useOwnGroup(me, organization);
  // While somebody types, what an earlier text has found is not offered.
  const asked = settled === search.trim() ? settled : '';
  const platform = useOperatorGroups(me, asked);
  const found = useLookupGroup(asked, me, organization);
  const actions = useActionGroup(organization);
  const operating = useOperatorActions(me, settled);
  const errors = useErrorGroup(search, organization);
  const rest = [...inside, useDocsGroup(), errors, own, ...platform];
  // On an operator's page, the actions of operators are the first.
  const isOperating = isOperatorPath(useLocation().pathname);
  const acts = isOperating ? [operating, actions] : [actions, operating];
  return [request, found, pages, ...acts, ...rest];
}
