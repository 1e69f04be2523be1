/**
 * The skeleton as a gateway of the comparison: the parts that Penstock has (a router, an agent, a
 * durable ledger), with little more code than makes an answer whole. It shows about what these parts
 * cost by themselves.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchProcess } from './bench-process.ts';
import { type GatewayKind, PEER_KEY, untilAnswering } from './gateway.ts';
import { ENGINE_MODEL } from './model.ts';

const ROUTER = new URL('./skeleton/router.ts', import.meta.url);
const AGENT = new URL('./skeleton/agent.ts', import.meta.url);
/** The bounds of memory that `bin/penstock` sets. */
const MEMORY = { nodeFlags: ['--max-semi-space-size=8'], env: { MALLOC_ARENA_MAX: '2' } };

export const skeleton = kind('skeleton', {
  carries: 'a hold and a durable charge, unchecked; a router and an agent',
});

/** The same with the product's ledger: what holds and charges cost, with all their rows. */
export const skeletonWithLedger = kind('skeleton-ledger', {
  carries: 'the skeleton, with the ledger and the store of Penstock',
  flags: ['--product-ledger'],
});

function kind(
  name: string,
  { carries, flags = [] }: Readonly<{ carries: string; flags?: readonly string[] }>,
): GatewayKind {
  return {
    name,
    carries,
    isCompiledLate: true,
    version: process.versions.node,
    async start(engineUrl, signal) {
      await using undo = new AsyncDisposableStack();
      const folder = await mkdtemp(join(tmpdir(), 'penstock-bench-'));
      undo.defer(() => rm(folder, { recursive: true, force: true }));
      const start = async (file: URL, args: readonly string[]) =>
        undo.use(await BenchProcess.start(file, args, signal, MEMORY));
      const router = await start(ROUTER, ['--store', join(folder, 'ledger.db'), ...flags]);
      const agent = await start(AGENT, ['--engine', engineUrl, '--router', router.url]);
      const facts = { url: router.url, key: PEER_KEY, model: ENGINE_MODEL };
      await untilAnswering(facts);
      const parts = { router: [router.pid], agent: [agent.pid] };
      const running = undo.move();
      return { ...facts, parts, [Symbol.asyncDispose]: () => running.disposeAsync() };
    },
  };
}
