/** One real PostgreSQL for all tests of a run (vitest's global set-up); each test makes a database of its own. */
import type { TestProject } from 'vitest/node';
import { PostgresServer } from '../torture/postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** `postgres://…` of a database of the server, as one who may do everything. */
    postgres: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await PostgresServer.create({ settings: { max_connections: '300' } });
  project.provide('postgres', server.url());
  return () => server[Symbol.asyncDispose]();
}
