/** A row that opens a request. */
import { Link, useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { When } from '../../parts/shown.tsx';
import { Td } from '../../parts/table.tsx';
import { useOrganization } from '../../session.tsx';

type Props = Readonly<{ request: string; at: string; children: ReactNode }>;

/**
 * Its first cell is the time, a link for the keyboard and for new tabs. A click anywhere else opens
 * the request, too, unless it ends the selection of a text.
 */
export function RequestRow({ request, at, children }: Props) {
  const organization = useOrganization();
  const navigate = useNavigate();
  const to = { to: '/$organization/usage/$request', params: { organization, request } } as const;
  const open = ({ target }: MouseEvent) => {
    const isLink = target instanceof Element && target.closest('a') !== null;
    const isSelecting = getSelection()?.isCollapsed === false;
    if (!isLink && !isSelecting) void navigate(to);
  };
  return (
    <tr className="cursor-pointer hover:bg-hover" onClick={open}>
      <Td>
        <Link {...to} className="font-medium hover:underline">
          <When at={at} precision="seconds" />
          <span className="sr-only">, request {request}</span>
        </Link>
      </Td>
      {children}
    </tr>
  );
}
