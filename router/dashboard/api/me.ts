/** The signed-in person. */
import { queryOptions } from '@tanstack/react-query';
import type { Me } from '../../../shared/api/people.ts';
import { get } from './client.ts';

export type Membership = Me['organizations'][number];

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => get<Me>('/me', {}, signal),
  staleTime: 60_000,
});
