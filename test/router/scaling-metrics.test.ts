/** The metrics of each model that an autoscaler reads. */
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';

import { Fleet } from '../../router/fleet/fleet.ts';
import { Session } from '../../router/fleet/session.ts';
import { watchScaling } from '../../router/metrics/scaling.ts';
import type { AgentId } from '../../shared/ids.ts';
import { makeLog } from '../../shared/log.ts';
import { seededRandom } from '../../shared/random.ts';
import type { Region } from '../../shared/region.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { idleEngine } from './control/dialing-agent.ts';
import { AGENT, openSocketPair } from './fleet/socket-pair.ts';

test('the figures of a model are sums over the workers of a region, which are read once a scrape', async () => {
  await using undo = new AsyncDisposableStack();
  const log = makeLog('test', 'silent');
  const clock = new ManualClock();
  const fleet = new Fleet({ log, clock, random: seededRandom(1) });
  const join = async (agent: string, region: Region, models: string[], kvTokens: number | null) => {
    const pair = await openSocketPair();
    undo.use(pair.undo);
    const identity = { ...AGENT, agent: agent as AgentId, region };
    const session = new Session(pair.socket, identity, { ...pair, clock, log, fleet });
    fleet.join(session);
    const worker = { ...idleEngine('w'), models, kvTokens };
    fleet.load(session, { type: 'load', workers: [worker] });
  };
  await join('agt_1', 'eu', ['both', 'one', 'not in the catalog'], 1_000);
  await join('agt_2', 'global', ['both'], null);
  let readings = 0;
  const counted = {
    get workers() {
      readings += 1;
      return fleet.workers;
    },
  } as unknown as Fleet;
  const registry = new Registry();
  const models = ['both', 'one', 'none'].map((id) => ({ entry: { id } }));
  const catalog = { models } as unknown as Parameters<typeof watchScaling>[1]['catalog'];
  watchScaling(registry, { fleet: counted, catalog, clock, regions: ['global', 'eu', 'eu'] });
  const page = await registry.metrics();
  expect(readings).toBe(1);
  const figure = (name: string) =>
    page
      .split('\n')
      .filter((line) => line.startsWith(`penstock_router_model_${name}{`))
      .map((line) => line.replace(/.*model="(.*)",region="(.*)"/, '$1 $2').replace('}', ''))
      .toSorted();
  expect(figure('workers_ready')).toEqual([
    'both eu 1',
    'both global 2',
    'none eu 0',
    'none global 0',
    'one eu 1',
    'one global 1',
  ]);
  expect(figure('kv_tokens')).toContain('both global 1000');
  const [session] = fleet.sessions;
  if (session) fleet.drain(session, null);
  const after = await registry.metrics();
  expect(after).toContain('penstock_router_model_workers_ready{model="both",region="eu"} 0');
  expect(after).not.toContain('penstock_router_model_kv_tokens{model="both",region="global"}');
});
