/** `penstock admin` and `penstock ledger verify` as child processes, against a real control plane. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DialingAgent, idleEngine, newAgentKey } from '../router/control/dialing-agent.ts';
import { type Rig, startRig } from '../router/control/rig.ts';
import { type Ran, run } from './run.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

const admin = (...args: string[]): Promise<Ran> =>
  run(['admin', '--url', rig.origin, ...args], {
    PENSTOCK_OPERATOR_TOKEN: rig.first.operator.token,
  });

// What a command prints is for the test to say.
// oxlint-disable-next-line typescript/no-explicit-any
async function json(...args: string[]): Promise<any> {
  const { status, stdout, stderr } = await admin(...args, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

const organization = () => rig.first.organization.id;

describe('with --json', () => {
  test('organizations are created, shown and listed', async () => {
    const made = await json('organization', 'create', '--name', 'Lab', '--region', 'EU');
    expect(made).toMatchObject({ id: expect.stringMatching(/^org_/), name: 'Lab', region: 'eu' });
    expect(await json('organization', 'show', '--organization', made.id)).toEqual(made);
    expect(await json('organization', 'list')).toContainEqual(made);
    expect(await json('organization', 'create', '--name', 'Plain')).toMatchObject({
      region: 'global',
    });
  });

  test('keys are created, listed, revoked and deleted', async () => {
    const owner = ['--organization', organization()];
    const made = await json('key', 'create', ...owner, '--name', 'batch job');
    expect(made).toMatchObject({
      id: expect.stringMatching(/^key_/),
      name: 'batch job',
      key: expect.stringMatching(/^sk-test-infapi-/),
    });
    expect(JSON.stringify(await json('key', 'list', ...owner))).not.toContain(made.key);
    const revoked = await json('key', 'revoke', ...owner, '--key', made.id);
    expect(revoked).toMatchObject({ id: made.id, state: 'revoked' });
    const deleted = await json('key', 'delete', ...owner, '--key', made.id);
    expect(deleted).toEqual({ id: made.id, deleted: true });
    const left = await json('key', 'list', ...owner);
    expect(left.map(({ id }: { id: string }) => id)).not.toContain(made.id);
  });

  test('credit is shown and adjusted, below zero too', async () => {
    const { id } = await json('organization', 'create', '--name', 'Credit');
    const owner = ['--organization', id];
    expect(await json('credit', 'show', ...owner)).toEqual({ balance: '5', held: '0' });
    const reason = ['--reason', 'a test'];
    const taken = await json('credit', 'adjust', ...owner, '--amount', '-2.5', ...reason);
    expect(taken).toMatchObject({ balance: '2.5', transfer: { amount: '-2.5' } });
    const added = await json('credit', 'adjust', ...owner, '--amount=0.000000000001', ...reason);
    expect(added.balance).toBe('2.500000000001');
  });

  test('agents are enrolled, listed and revoked; their workers listed and drained', async () => {
    const enrolled = await json('agent', 'enrol', '--name', 'gpu-1', '--region', 'global');
    using agent = await DialingAgent.dial(rig.origin, newAgentKey(), enrolled.join_token);
    agent.send({ type: 'load', workers: [idleEngine('engine a')] });
    const worker = { id: `${enrolled.id}/engine a`, phase: 'ready' };
    expect(await json('worker', 'list')).toMatchObject([worker]);
    const drained = await json('worker', 'drain', '--worker', worker.id);
    expect(drained).toMatchObject({ id: worker.id, phase: 'draining' });
    expect(await json('agent', 'list')).toContainEqual(
      expect.objectContaining({ id: enrolled.id, state: 'enrolled', connected: true }),
    );
    const revoked = await json('agent', 'revoke', '--agent', enrolled.id);
    expect(revoked).toMatchObject({ id: enrolled.id, state: 'revoked' });
    expect(await json('worker', 'list')).toEqual([]);
  });

  test('usage is every request as one array, whatever the pages', async () => {
    const { id } = await json('organization', 'create', '--name', 'Usage');
    expect(await json('usage', 'list', '--organization', id)).toEqual([]);
    insertUsage(id, 2_500);
    const usage = await json('usage', 'list', '--organization', id);
    expect(usage).toHaveLength(2_500);
    expect(usage[0]).toMatchObject({
      request_id: 'req_2500',
      prompt_tokens: 7,
      cost: '0.000000000042',
      status: 200,
    });
    expect(new Set(usage.map((entry: { request_id: string }) => entry.request_id)).size).toBe(
      2_500,
    );
  });
});

describe('for people', () => {
  test('lists are tables, one thing is a field a line', async () => {
    const { stdout } = await admin('organization', 'list');
    const [heading, ...rows] = stdout.trimEnd().split('\n');
    expect(heading).toMatch(/^ID +NAME +REGION +STATUS +BILLING +CREATED$/);
    const column = (heading ?? '').indexOf('NAME');
    expect(rows.map((row) => row.slice(column)).join('\n')).toContain('Default');
    const shown = await admin('credit', 'show', '--organization', organization());
    expect(shown.stdout).toBe('balance  USD 5\nheld     USD 0\n');
  });

  test('a new key comes with the advice to keep it', async () => {
    const owner = ['--organization', organization()];
    const { stdout } = await admin('key', 'create', ...owner, '--name', 'mine');
    expect(stdout).toMatch(/^key +sk-test-infapi-/m);
    expect(stdout).toContain('shown this once');
  });

  test('an empty list says so', async () => {
    const { stdout } = await admin('usage', 'list', '--organization', organization());
    expect(stdout).toBe('none\n');
  });
});

describe('fails', () => {
  test('with the message of the API and its request id', async () => {
    const nobody = `org_${'0'.repeat(26)}`;
    const { status, stdout, stderr } = await admin('credit', 'show', '--organization', nobody);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^penstock: There is no such organization\. \(not_found, request req_[0-9a-z]{26}\)\n$/,
    );
  });

  test('when credit would fall below the floor', async () => {
    const owner = ['--organization', organization()];
    const amount = ['--amount', '-5.01', '--reason', 'too much'];
    const { status, stderr } = await admin('credit', 'adjust', ...owner, ...amount);
    expect(status).toBe(1);
    expect(stderr).toContain('conflict');
  });

  test('with an unknown token', async () => {
    const { status, stderr } = await run(['admin', 'agent', 'list', '--url', rig.origin], {
      PENSTOCK_OPERATOR_TOKEN: `penstock-op-${'a'.repeat(40)}`,
    });
    expect(status).toBe(1);
    expect(stderr).toContain('The operator token is invalid.');
  });

  test('without a token, and says how to set it', async () => {
    const { status, stderr } = await run(['admin', 'agent', 'list']);
    expect(status).toBe(2);
    expect(stderr).toContain('export PENSTOCK_OPERATOR_TOKEN=');
  });

  test('with every fault of the flags at once', async () => {
    const { status, stderr } = await admin('credit', 'adjust', '--amount', '1.x', '--url', 'here');
    expect(status).toBe(2);
    for (const flag of ['--organization', '--amount', '--reason']) expect(stderr).toContain(flag);
  });

  test('when nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const { status, stderr } = await run(
      ['admin', 'agent', 'list', '--url', `http://127.0.0.1:${port}`],
      {
        PENSTOCK_OPERATOR_TOKEN: rig.first.operator.token,
      },
    );
    expect(status).toBe(1);
    expect(stderr).toBe(`penstock: cannot reach http://127.0.0.1:${port}: ECONNREFUSED\n`);
  });

  test('when something else answers', async () => {
    const server = createServer((_request, response) => response.end('<html>')).listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { status, stderr } = await run(
      ['admin', 'agent', 'list', '--url', `http://127.0.0.1:${port}`],
      {
        PENSTOCK_OPERATOR_TOKEN: rig.first.operator.token,
      },
    );
    server.close();
    expect(status).toBe(1);
    expect(stderr).toContain('something else than the management API');
  });
});

describe('ledger verify, beside the router', () => {
  test('prints what it looked at, and that nothing differs', async () => {
    await using own = await startRig();
    const store = `sqlite:${own.file}`;
    const { status, stdout } = await run(['ledger', 'verify', '--store', store]);
    expect(status).toBe(0);
    expect(stdout).toContain('1 organizations');
    expect(stdout).toContain('no difference');
    const asJson = await run(['ledger', 'verify', '--store', store, '--json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      checked: { organizations: 1 },
      differences: [],
    });
  });

  test('names each difference, and fails', async () => {
    await using own = await startRig();
    const database = new BetterSqlite3(own.file);
    database.exec('update accounts set balance = balance + 1');
    database.close();
    const { status, stdout } = await run(['ledger', 'verify', '--store', `sqlite:${own.file}`]);
    expect(status).toBe(1);
    expect(stdout).toContain(own.first.organization.id);
  });
});

/** Rows behind the store's back: how they came to be is the ledger's matter. */
function insertUsage(owner: string, count: number): void {
  const database = new BetterSqlite3(rig.file);
  const insert = database.prepare(
    `insert into usage (request, organization, seq, key, source, completion_id, model, region, price,
       prompt_tokens, cached_tokens, cached_source, completion_tokens, reasoning_tokens, duration_ms,
       status, cost, outcome, created)
     values (?, ?, ?, 'key_1', 'api', 'chatcmpl', 'lab/model', 'global', 'prc_1',
       7, 0, 'reported', 1, 0, 5, 200, 42, 'settled', 1700000000000)`,
  );
  database.transaction(() => {
    for (let i = 1; i <= count; i++) insert.run(`req_${i}`, owner, i);
  })();
  database.close();
}
