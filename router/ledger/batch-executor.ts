/** Runs the ledger's batches on either database. */
import type { BatchExecutor } from '../store/procedure.ts';
import type { Operation, Outcome } from './operations.ts';
import { PostgresBatches } from './postgres/batches.ts';
import { SqliteBatches } from './sqlite/batches.ts';

export const ledgerExecutor: BatchExecutor<Operation, Outcome> = {
  name: 'ledger',
  openSqlite(database) {
    const batches = new SqliteBatches(database);
    return (operations) => batches.run(operations);
  },
  openPostgres(connection) {
    const batches = new PostgresBatches(connection);
    return (operations, listener) => batches.run(operations, listener);
  },
};
