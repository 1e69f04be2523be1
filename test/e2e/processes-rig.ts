/** A fleet whose router is several processes (docs/processes.md), for the tests of them. */
import { readFile } from 'node:fs/promises';
import { Fleet } from '../torture/fleet.ts';
import { MODEL } from '../torture/load.ts';
import { PostgresServer } from '../torture/postgres-server.ts';
import type { Stage } from '../torture/scene.ts';

export const PROCESSES = 2;

/** The store kinds, and the server to create a database on. */
export const STORES = ['sqlite', 'postgres'] as const;
export async function open(store: (typeof STORES)[number], undo: AsyncDisposableStack) {
  const postgres = store === 'postgres' ? undo.use(await PostgresServer.create()) : null;
  const stage: Stage = { store, postgres, seed: 1 };
  return {
    stage,
    fleet: async (options: Parameters<typeof Fleet.start>[0] = {}) =>
      undo.use(await Fleet.start({ postgres, processes: PROCESSES, ...options })),
  };
}

/** The children of a router: the processes that serve its clients. */
export async function childrenOf(fleet: Fleet): Promise<number[]> {
  const { pid } = fleet.router(0).process;
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

export function ask(fleet: Fleet, key: string, tokens = 5) {
  const { base } = fleet.router(0);
  const prompt = `Write exactly ${tokens} tokens.`;
  return fleet.log.ask({ base, key, model: MODEL, prompt, maxTokens: 1_000 });
}
