/** The views of the page of an organization, as operators see it. */
import type { OrganizationView } from '../../../operator-search.ts';

export const VIEWS: Readonly<Record<OrganizationView, string>> = {
  overview: 'Overview',
  money: 'Money',
  access: 'Keys and members',
  terms: 'Terms',
  audit: 'Audit',
};
