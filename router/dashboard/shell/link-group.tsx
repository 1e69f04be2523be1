import { useRouterState } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { cx } from '../parts/class-names.ts';
import { useMe } from '../session.tsx';
import { store, stored } from '../storage.ts';
import { type Group, GROUP_TITLES, isInGroup, isOperatorPath } from './page-groups.ts';

/**
 * A group of links that can be closed, which this browser remembers. The group of the page that is
 * shown is open. All links together are too many for the height of a window for operators: as long
 * as they have not chosen, they have either their own groups open or those of the organization.
 */
export function LinkGroup({ group, children }: Readonly<{ group: Group; children: ReactNode }>) {
  const { operator } = useMe();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [choice, setChoice] = useState(() => stored(keyOf(group)));
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const id = useId();
  const isUsed = isInGroup(group, path);
  const isNear = !operator || (group === 'operator') === isOperatorPath(path);
  const isOpen = isUsed ? closedAt !== path : choice === null ? isNear : choice === 'open';
  const toggle = () => {
    const next = isOpen ? 'closed' : 'open';
    store(keyOf(group), next);
    setChoice(next);
    setClosedAt(isOpen ? path : null);
  };
  return (
    <div className="mt-2 first:mt-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
        className="flex w-full items-center justify-between rounded-md px-2 py-1.5 text-xs font-medium text-muted hover:bg-hover hover:text-ink max-lg:min-h-11"
      >
        {GROUP_TITLES[group]}
        <ChevronDown aria-hidden className={cx('size-3.5', !isOpen && '-rotate-90')} />
      </button>
      <ul id={id} hidden={!isOpen} className="grid gap-0.5 [&[hidden]]:hidden">
        {children}
      </ul>
    </div>
  );
}

function keyOf(group: Group): string {
  return `penstock.links.${group}`;
}
