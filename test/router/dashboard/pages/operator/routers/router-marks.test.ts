import { expect, test } from 'vitest';
import {
  marksOfRouter,
  marksOfRouterAlarms,
} from '../../../../../../router/dashboard/pages/operator/routers/router-marks.ts';
import type { MarkedAlarm } from '../../../../../../router/dashboard/pages/operator/history/marks.ts';
import type { Router } from '../../../../../../shared/api/routers.ts';

const STARTED = '2026-11-21T08:00:00.000Z';
const REPORTED = '2026-11-21T09:00:00.000Z';

function routerIn(state: Router['state']): Router {
  return {
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
}

function shown(state: Router['state']): string[] {
  return marksOfRouter(routerIn(state)).map(({ at, label, tone }) => `${label} ${at} ${tone}`);
}

test('the charts of a router mark when it started, and when it stopped or stopped reporting', () => {
  const started = `Started ${STARTED} neutral`;
  expect(shown('healthy')).toEqual([started]);
  expect(shown('draining')).toEqual([started]);
  expect(shown('stopped')).toEqual([started, `Stopped ${REPORTED} neutral`]);
  expect(shown('silent')).toEqual([started, `Last report ${REPORTED} bad`]);
  expect(shown('offline')).toEqual([started, `Last report ${REPORTED} bad`]);
});

test('the alarm of a router that stopped reporting has no line of its own at the last report', () => {
  const alarm = (kind: string, id: string): MarkedAlarm => ({
    kind,
    severity: 'urgent',
    message: `${kind} of ${id}`,
    page: 'routers',
    began: REPORTED,
    ended: null,
    routers: [{ id, name: id }],
  });
  const alarms = [
    alarm('router_silent', 'rtr_1'),
    alarm('router_slow', 'rtr_1'),
    alarm('router_slow', 'rtr_2'),
  ];
  const marked = (state: Router['state']) =>
    marksOfRouterAlarms(routerIn(state), alarms).map(({ text }) => text);
  expect(marked('silent')).toEqual(['Alarm: router_slow of rtr_1']);
  // It reports again, and the alarm has not ended yet.
  expect(marked('healthy')).toEqual([
    'Alarm: router_silent of rtr_1',
    'Alarm: router_slow of rtr_1',
  ]);
});
