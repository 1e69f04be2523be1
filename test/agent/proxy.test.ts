/** Links through an egress proxy that does not answer. */
import { expect, test } from 'vitest';
import { startAgent } from '../../agent/main.ts';
import { limits } from '../../shared/limits.ts';
import { seededRandom } from '../../shared/random.ts';
import { makeLog } from '../../shared/log.ts';
import { ConnectProxy } from '../support/connect-proxy.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { turn, turnUntil } from './support/gate.ts';
import { agentConfig, scratch } from './support/rig.ts';

async function startBehind(proxy: ConnectProxy, folder: string) {
  const clock = new ManualClock();
  let logged = '';
  const log = makeLog('agent', 'info', {
    write: (line) => {
      logged += line;
    },
  });
  const config = agentConfig({
    data: folder,
    proxy: proxy.url,
    routers: ['wss://router.example/agent'],
    engines: [{ name: 'engine', url: 'http://127.0.0.1:1' }],
  });
  const agent = await startAgent(config, { clock, random: seededRandom(1), log });
  return { agent, clock, logged: () => logged };
}

test('a proxy that does not answer is given up in time, and tried again', async () => {
  await using data = await scratch();
  await using proxy = await ConnectProxy.start();
  proxy.fault = () => {};
  await using undo = new AsyncDisposableStack();
  const { agent, clock, logged } = await startBehind(proxy, data.folder);
  undo.use(agent);
  await turnUntil(() => proxy.requests.length === 1);
  clock.advance(limits.linkHandshakeMsMax);
  await turnUntil(() => logged().includes('did not answer in time'));
  while (proxy.requests.length === 1) {
    clock.advance(50);
    await turn();
  }
  expect(proxy.requests).toEqual(['router.example:443', 'router.example:443']);
});

test('an agent that stops gives up a proxy that does not answer', async () => {
  await using data = await scratch();
  await using proxy = await ConnectProxy.start();
  proxy.fault = () => {};
  const { agent } = await startBehind(proxy, data.folder);
  await turnUntil(() => proxy.requests.length === 1);
  await agent[Symbol.asyncDispose]();
  await turnUntil(() => proxy.connections === 0);
});
