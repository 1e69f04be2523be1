/** A store for the length of a test, on the database that the suite runs on. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { inject } from 'vitest';

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

export function makeStorePlace(): Promise<StorePlace> {
  return DIALECT === 'sqlite' ? Promise.resolve(new SqlitePlace()) : PostgresPlace.make();
}

export class SqlitePlace implements StorePlace {
  readonly #folder = mkdtempSync(join(tmpdir(), 'penstock-store-'));
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
  readonly #server: string;
  readonly #name: string;

  private constructor(server: string, name: string) {
    this.#server = server;
    this.#name = name;
    this.url = Object.assign(new URL(server), { pathname: name }).href;
  }

  static async make(): Promise<PostgresPlace> {
    const place = new PostgresPlace(inject('postgres'), `t_${randomBytes(8).toString('hex')}`);
    await ask(place.#server, [`CREATE DATABASE ${place.#name}`]);
    return place;
  }

  sql(...statements: string[]): Promise<unknown[]> {
    return ask(this.url, ['SET session_replication_role = replica', ...statements]);
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
    await ask(this.#server, [`DROP DATABASE ${this.#name} WITH (FORCE)`]);
  }
}

const INT8 = 20;

async function ask(url: string, statements: readonly string[]): Promise<unknown[]> {
  const client = new pg.Client({
    connectionString: url,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format),
    },
  });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}
