/** What a router knows of the models that are served now. */
import { expect, test } from 'vitest';
import { ServedNow } from '../../../router/control/models/served-now.ts';
import { Fleet } from '../../../router/fleet/fleet.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { ScriptedAgent } from '../request/scripted-agent.ts';

const MODEL = 'lab/small';

test('a router says that a model is not served only in a region of which it has seen a worker', () => {
  const log = makeLog('test', 'silent');
  const fleet = new Fleet({ log, clock, random });
  const servedNow = new ServedNow(fleet);
  const seen = () => {
    const isServed = servedNow.snapshot();
    return (['global', 'eu', 'us'] as const).map((region) => isServed(MODEL, region));
  };
  expect(seen()).toEqual([null, null, null]);
  const agent = new ScriptedAgent(fleet, { clock, log }, 'one', 'eu');
  agent.report([MODEL]);
  expect(seen()).toEqual([true, true, null]);
  agent.drop();
  // It stays known that the region has workers.
  expect(seen()).toEqual([false, false, null]);
});
