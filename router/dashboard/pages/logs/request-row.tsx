/** A row that opens a request. */
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { opensOnClick } from '../../parts/list/row-click.ts';
import { When } from '../../parts/shown.tsx';
import { Td } from '../../parts/list/table.tsx';
import { useOrganization } from '../../session.tsx';

/** `at`: when the request ended. */
type Props = Readonly<{
  request: string;
  at: string;
  precision?: 'minutes' | 'seconds';
  children: ReactNode;
}>;

/** Its first cell is the time, a link for the keyboard and for new tabs. */
export function RequestRow({ request, at, precision = 'seconds', children }: Props) {
  const organization = useOrganization();
  const navigate = useNavigate();
  const to = { to: '/$organization/logs/$request', params: { organization, request } } as const;
  const open = opensOnClick(() => void navigate(to));
  return (
    <tr className="cursor-pointer hover:bg-hover" onClick={open}>
      <Td>
        <Link {...to} className="font-medium hover:underline">
          <When at={at} precision={precision} />
          <span className="sr-only">, request {request}</span>
        </Link>
      </Td>
      {children}
    </tr>
  );
}
