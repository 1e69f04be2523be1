/** All requests of an organization, whether they were admitted or refused before. */
import { z } from 'zod';
import { REQUEST_STATUSES } from '../request-statuses.ts';
import { oneOrMore } from './pages.ts';
import { usageNarrowing } from './usage.ts';

export const RequestsCsvQuery = z.strictObject({
  ...usageNarrowing,
  status: oneOrMore(z.enum(REQUEST_STATUSES)).meta({
    description:
      'The class of the status. `refused` means all requests that were refused before they were ' +
      'admitted, whatever their status, `failed` those that were admitted and then failed, and ' +
      '`canceled` those whose client disconnected (499).',
  }),
  code: oneOrMore(z.string().max(64)).meta({ description: 'Only requests with this error code.' }),
});
export type RequestsCsvQuery = z.output<typeof RequestsCsvQuery>;
