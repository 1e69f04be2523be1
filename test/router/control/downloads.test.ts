/** Files that are sent piece by piece: how many at once, and when they end early. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { fastify, type FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { Refused } from '../../../router/control/api.ts';
import { Downloads, STALL_MS } from '../../../router/control/downloads.ts';
import { refusalOf, refuse } from '../../../router/control/errors.ts';
import { limits } from '../../../shared/limits.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const PIECE = 'x'.repeat(64 * 1024);

type Served = Readonly<{
  pieces: () => AsyncIterable<string>;
  admitAgain?: () => Promise<void>;
}>;

/** Serves a file to the organization in the path. */
async function serve({ pieces, admitAgain = async () => {} }: Served) {
  const clock = new ManualClock();
  const downloads = new Downloads(clock);
  const app = fastify({ forceCloseConnections: true });
  app.decorateRequest('caller', null);
  app.decorateRequest('acting', null);
  app.decorateRequest('admitAgain', admitAgain);
  app.setErrorHandler((error, _request, reply) => refuse(reply, refusalOf(error), 'req_x'));
  app.get('/:organization', async (request: FastifyRequest, reply) => {
    const { organization } = request.params as { organization: OrganizationId };
    request.acting = { organization, role: 'viewer', member: null };
    return downloads.send(reply, pieces());
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const ask = (organization: string) => fetch(`${origin}/${organization}`);
  return { clock, origin, ask };
}

async function* endless(): AsyncGenerator<string> {
  for (;;) yield PIECE;
}

test('an organization is sent two files at once, and others are not kept waiting', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  async function* gated(): AsyncGenerator<string> {
    yield 'a';
    await opened;
    yield 'b';
  }
  const { ask } = await serve({ pieces: gated });
  const two = [await ask('org_a'), await ask('org_a')];
  const third = await ask('org_a');
  expect(third.status).toBe(429);
  expect(third.headers.get('retry-after')).toBe('10');
  const other = await ask('org_b');
  open();
  for (const file of [...two, other]) expect(await file.text()).toBe('ab');
  await expect.poll(async () => (await ask('org_a')).status).toBe(200);
});

test('all organizations together are sent so many files at once', async () => {
  const { ask } = await serve({ pieces: endless });
  const files: Response[] = [];
  const { totalMax, peerMax } = limits.downloads;
  for (let i = 0; i < totalMax; i++) files.push(await ask(`org_${Math.floor(i / peerMax)}`));
  expect(files.map(({ status }) => status)).toEqual(files.map(() => 200));
  expect((await ask('org_late')).status).toBe(429);
  for (const file of files) await file.body?.cancel();
  await expect.poll(async () => (await ask('org_late')).status).toBe(200);
});

test('a file whose client reads nothing for a minute ends, and its place is free', async () => {
  const { clock, origin, ask } = await serve({ pieces: endless });
  const { hostname, port } = new URL(origin);
  const silent = Array.from({ length: limits.downloads.peerMax }, () => {
    const socket = connect(Number(port), hostname).pause();
    socket.write('GET /org_a HTTP/1.1\r\nhost: x\r\n\r\n');
    socket.on('error', () => {});
    return socket;
  });
  // All are held up by their clients: no piece is made.
  await expect.poll(() => clock.timers).toBe(silent.length);
  let before = -1;
  const isHeldUp = async () => {
    const bytes = silent.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    const same = bytes === before && clock.timers === silent.length;
    before = bytes;
    return same;
  };
  await expect.poll(isHeldUp, { interval: 200 }).toBe(true);
  expect((await ask('org_a')).status).toBe(429);
  clock.advance(STALL_MS);
  for (const socket of silent) {
    socket.resume();
    await once(socket, 'close');
  }
  await expect.poll(async () => (await ask('org_a')).status).toBe(200);
});

test('a file ends when its reader has lost the access', async () => {
  let isMember = true;
  const { clock, ask } = await serve({
    pieces: endless,
    admitAgain: async () => {
      if (!isMember) throw new Refused('invalid_token');
    },
  });
  const reader = (await ask('org_a')).body?.getReader();
  await reader?.read();
  isMember = false;
  clock.advance(1_000);
  const toTheEnd = async () => {
    while (!(await reader?.read())?.done);
  };
  await expect(toTheEnd()).rejects.toThrow('terminated');
});

test('a search that finds nothing ends when its client has left', async () => {
  let looks = 0;
  async function* nothing(): AsyncGenerator<string> {
    yield 'name\r\n';
    for (;;) {
      looks += 1;
      yield '';
    }
  }
  const { ask } = await serve({ pieces: nothing });
  const file = await ask('org_a');
  await expect.poll(() => looks).toBeGreaterThan(10);
  await file.body?.cancel();
  await expect
    .poll(async () => {
      const before = looks;
      await (await ask('org_b')).body?.cancel();
      return looks - before;
    })
    .toBeLessThan(50);
});
