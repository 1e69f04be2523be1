import { expect, test } from 'vitest';
import { marksOfRouter } from '../../../../../../router/dashboard/pages/operator/routers/router-marks.ts';
import type { Router } from '../../../../../../shared/api/routers.ts';

const STARTED = '2026-11-21T08:00:00.000Z';
const REPORTED = '2026-11-21T09:00:00.000Z';

function shown(state: Router['state']): string[] {
  const router: Router = {
    id: 'rtr_1',
    url: null,
    regions: ['global'],
    started: STARTED,
    version: '0.2.0',
    beating: true,
    state,
    reported: REPORTED,
    last_minute: null,
  };
  return marksOfRouter(router).map(({ at, label, tone }) => `${label} ${at} ${tone}`);
}

test('the charts of a router mark when it started, and when it stopped or stopped reporting', () => {
  const started = `Started ${STARTED} neutral`;
  expect(shown('healthy')).toEqual([started]);
  expect(shown('draining')).toEqual([started]);
  expect(shown('stopped')).toEqual([started, `Stopped ${REPORTED} neutral`]);
  expect(shown('silent')).toEqual([started, `Last report ${REPORTED} bad`]);
  expect(shown('offline')).toEqual([started, `Last report ${REPORTED} bad`]);
});
