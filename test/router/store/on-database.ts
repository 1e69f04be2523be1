/** A connection of the store's own to the database of a test, for work on the tables themselves. */
import { closeSync, openSync } from 'node:fs';
import {
  connect as connectPostgres,
  withKysely as withPostgres,
} from '../../../router/store/postgres/connect.ts';
import type { Db } from '../../../router/store/procedure.ts';
import { connect, withKysely } from '../../../router/store/sqlite/connect.ts';
import { systemClock } from '../../../shared/clock.ts';
import { SqlitePlace, type StorePlace } from '../../support/store.ts';

export async function onDatabase<Result>(
  place: StorePlace,
  run: (db: Db) => Promise<Result>,
): Promise<Result> {
  if (!(place instanceof SqlitePlace)) {
    const client = await connectPostgres({ url: place.url, clock: systemClock }, {}, () => {});
    try {
      return await withPostgres(client, run);
    } finally {
      await client.end();
    }
  }
  closeSync(openSync(place.file, 'a'));
  const database = connect(place.file, 'write');
  return await withKysely(database, run).finally(() => database.close());
}
