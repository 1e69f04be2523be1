import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { Operation } from './operations.ts';

type OperationLinkProps = Readonly<{ operation: Operation }> &
  Pick<ComponentProps<'a'>, 'children' | 'className' | 'onClick'>;

/** A link to an operation in the page of its group. Who has asked for more operations keeps them. */
export function OperationLink({ operation: { id, group }, ...rest }: OperationLinkProps) {
  return (
    <Link
      to="/docs/api/$group"
      params={{ group: group.slug }}
      hash={id}
      search
      activeOptions={{ exact: true, includeHash: true }}
      {...rest}
    />
  );
}
