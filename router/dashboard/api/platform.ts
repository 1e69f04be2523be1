/** Lists for operators: all organizations and all people. */
import { keepPreviousData } from '@tanstack/react-query';
import type { Organization } from '../../../shared/api/organizations.ts';
import type { Person } from '../../../shared/api/people.ts';
import { listQuery } from './lists.ts';

/** The earlier results stay visible while the next search is loading. */
export const organizationsQuery = (search: string) => ({
  ...listQuery<Organization>(['platform', 'organizations'], '/organizations', { search }),
  placeholderData: keepPreviousData,
});

export const peopleQuery = (search: string) => ({
  ...listQuery<Person>(['platform', 'people'], '/people', { search }),
  placeholderData: keepPreviousData,
});
