/**
 * Starts one real PostgreSQL server for all tests of a run (vitest's global set-up), with a database
 * of migrated tables. Each test creates its own database, in most cases as a copy of that one.
 */
import type { TestProject } from 'vitest/node';
import { bringUpToDate } from '../../router/store/postgres/bring-up-to-date.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { PostgresServer } from '../torture/postgres-server.ts';
import { STORES_FOLDER } from './stores-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: {
      /** The `postgres://…` URL of a database of the server, with a superuser's credentials. */
      url: string;
      /** The name of a database that has been migrated and is otherwise empty. */
      migrated: string;
    };
  }
}

const SETTINGS = {
  max_connections: '300',
  // The server lives as long as the run, so that nothing is ever read back from the disk after a
  // crash. Tests that kill a server start one of their own, which writes durably.
  fsync: 'off',
};

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await PostgresServer.create({ settings: SETTINGS, parent: STORES_FOLDER });
  const migrated = 'migrated';
  await bringUpToDate(await server.database(migrated), { clock, log: makeLog('test', 'silent') });
  project.provide('postgres', { url: server.url(), migrated });
  return () => server[Symbol.asyncDispose]();
}
