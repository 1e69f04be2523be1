/** A store for the length of a test, on the database that the suite runs on. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { inject } from 'vitest';
import { STORES_FOLDER } from './stores-folder.ts';

export const DIALECT = process.env['PENSTOCK_TEST_STORE'] === 'postgres' ? 'postgres' : 'sqlite';

export interface StorePlace extends AsyncDisposable {
  /** The store URL, as a router's configuration has it. */
  readonly url: string;
  /**
   * Runs SQL directly on the database, with checks and foreign keys off. Returns the rows of the
   * last statement.
   */
  sql(...statements: string[]): Promise<unknown[]>;
  /** Everything that is stored, as text. */
  bytes(): Promise<string>;
}

/**
 * On PostgreSQL the tables are there already, because copying a migrated database takes less time
 * than migrating an empty one. `empty`: there are none, as at the first start of a router.
 */
export function makeStorePlace(from: 'migrated' | 'empty' = 'migrated'): Promise<StorePlace> {
  return DIALECT === 'sqlite' ? Promise.resolve(new SqlitePlace()) : PostgresPlace.make(from);
}

export class SqlitePlace implements StorePlace {
  readonly #folder = mkdtempSync(join(STORES_FOLDER, 'penstock-store-'));
  readonly file = join(this.#folder, 'penstock.db');
  readonly url = `sqlite:${this.file}`;

  async sql(...statements: string[]): Promise<unknown[]> {
    const database = new BetterSqlite3(this.file);
    try {
      database.defaultSafeIntegers(true);
      database.pragma('foreign_keys = OFF');
      database.pragma('ignore_check_constraints = ON');
      let rows: unknown[] = [];
      for (const statement of statements) {
        const prepared = database.prepare(statement);
        if (prepared.reader) rows = prepared.all();
        else prepared.run();
      }
      return rows;
    } finally {
      database.close();
    }
  }

  async bytes(): Promise<string> {
    // A mark that is being written is renamed at any moment.
    const names = readdirSync(this.#folder).filter((name) => !name.endsWith('.new'));
    return names.map((name) => readFileSync(join(this.#folder, name), 'latin1')).join('');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.#folder, { recursive: true });
  }
}

class PostgresPlace implements StorePlace {
  readonly url: string;
  readonly #name: string;
  readonly #pool: pg.Pool;

  private constructor(name: string) {
    this.#name = name;
    this.url = Object.assign(new URL(inject('postgres').url), { pathname: name }).href;
    this.#pool = openPool(this.url);
  }

  static async make(from: 'migrated' | 'empty'): Promise<PostgresPlace> {
    const name = `t_${randomBytes(8).toString('hex')}`;
    const template = from === 'migrated' ? inject('postgres').migrated : 'template1';
    // The files of a template in memory are copied in less time than its pages are logged.
    await onServer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
    return new PostgresPlace(name);
  }

  async sql(...statements: string[]): Promise<unknown[]> {
    const client = await this.#pool.connect();
    try {
      let { rows } = await client.query('SET session_replication_role = replica');
      for (const statement of statements) ({ rows } = await client.query(statement));
      return rows;
    } finally {
      client.release();
    }
  }

  async bytes(): Promise<string> {
    const tables = await this.sql(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const texts: string[] = [];
    for (const { name } of tables as { name: string }[]) {
      texts.push(JSON.stringify(await this.sql(`SELECT t::text FROM "${name}" t`)));
    }
    return texts.join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
    await onServer(`DROP DATABASE ${this.#name} WITH (FORCE)`);
  }
}

const INT8 = 20;

/** Connections that are opened at their first use, and kept. */
function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    allowExitOnIdle: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format),
    },
  });
  // A test may end all connections of its database. The pool then opens another.
  pool.on('error', () => {});
  return pool;
}

let server: pg.Pool | undefined;

/** Runs a statement that creates or drops a database. */
async function onServer(statement: string): Promise<void> {
  server ??= openPool(inject('postgres').url);
  await server.query(statement);
}
