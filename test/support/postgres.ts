/**
 * Starts one real PostgreSQL server for all tests of a run (vitest's global set-up). Each test
 * creates its own database.
 */
import type { TestProject } from 'vitest/node';
import { PostgresServer } from '../torture/postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The `postgres://…` URL of a database of the server, with a superuser's credentials. */
    postgres: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await PostgresServer.create({ settings: { max_connections: '300' } });
  project.provide('postgres', server.url());
  return () => server[Symbol.asyncDispose]();
}
