/** The log of peers that a router names and the agent does not dial. */
import { expect, test } from 'vitest';
import { makeLog } from '../../shared/log.ts';
import { turnUntil } from './support/gate.ts';
import { startRig } from './support/rig.ts';

test('peers that may not be dialled are logged with the reason, once for each change', async () => {
  const logged: unknown[] = [];
  const write = (line: string) => {
    const { level, count, peers } = JSON.parse(line) as Record<string, unknown>;
    if (level === 40 && peers !== undefined) logged.push({ count, peers });
  };
  await using rig = await startRig({ log: makeLog('agent', 'warn', { write }) });
  const name = (...routers: string[]) => rig.session.send({ type: 'peers', routers });
  const several = [
    'ws://10.0.0.1:8080/agent',
    'wss://user:hidden@router.example/agent',
    '\u202e'.repeat(500),
    `wss://u:p@${'a'.repeat(63)}.${'b'.repeat(63)}.example/agent`,
  ];
  name(...several);
  name(...several);
  name('ws://10.0.0.1:8080/agent');
  // A router names its peers again in each session.
  name();
  name('ws://10.0.0.1:8080/agent');
  name(...several);
  await turnUntil(() => logged.length === 3);
  const plain = {
    peer: 'ws://10.0.0.1:8080',
    fault: 'must begin with wss:// unless the router is on this machine',
  };
  const first = {
    count: 4,
    peers: [
      plain,
      { peer: 'wss://router.example', fault: expect.stringContaining('credentials') },
      { peer: 'not a URL', fault: expect.stringContaining('must be a URL') },
    ],
  };
  expect(logged).toEqual([first, { count: 1, peers: [plain] }, first]);
});
