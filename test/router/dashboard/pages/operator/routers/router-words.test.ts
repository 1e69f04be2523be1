/** How many routers report, and what is said of the others. */
import { expect, test } from 'vitest';
import {
  othersInWords,
  reportingOf,
} from '../../../../../../router/dashboard/pages/operator/routers/router-words.ts';
import type { Router } from '../../../../../../shared/api/routers.ts';

function routers(...states: NonNullable<Router['state']>[]): Router[] {
  return states.map((state) => ({ state, beating: true }) as Router);
}

test('a router that drains reports, and one that is silent or offline does not', () => {
  const some = routers('healthy', 'draining', 'silent', 'offline', 'healthy');
  expect(reportingOf(some)).toBe(3);
  expect(othersInWords(some)).toBe('1 draining, 1 stopped reporting, 1 offline');
  expect(othersInWords(routers('healthy'))).toBe('None draining');
});
