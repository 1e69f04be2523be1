/** Finds changes of the tables that would fail a router of an earlier version while it runs. */
import { PostgresAdapter, sql } from 'kysely';
import type { Db } from '../../../router/store/procedure.ts';

type Column = Readonly<{ type: string; nullable: boolean; filled: boolean }>;
type Table = Readonly<{ columns: ReadonlyMap<string, Column>; rules: ReadonlySet<string> }>;
export type Tables = ReadonlyMap<string, Table>;

export async function readTables(db: Db): Promise<Tables> {
  const rules = await readRules(db);
  const keys = await readPrimaryKeys(db);
  const tables = await db.introspection.getTables();
  return new Map(
    tables.map(({ name, columns }) => [
      name,
      {
        rules: new Set(rules.filter(({ table }) => table === name).map(({ rule }) => rule)),
        columns: new Map(
          columns.map(({ name: column, dataType, isNullable, hasDefaultValue }) => [
            column,
            {
              type: dataType,
              nullable: isNullable && !keys.has(`${name}.${column}`),
              filled: hasDefaultValue,
            },
          ]),
        ),
      },
    ]),
  );
}

/** SQLite allows NULL in a primary key, unless the table is in its order. No router writes one. */
async function readPrimaryKeys(db: Db): Promise<ReadonlySet<string>> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return new Set();
  const { rows } = await sql<{ name: string }>`
    select t.name || '.' || c.name as name from sqlite_master t, pragma_table_info(t.name) c
    where t.type = 'table' and c.pk > 0`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Constraints, unique indexes and triggers: each may refuse a row that an older router writes. */
async function readRules(db: Db): Promise<{ table: string; rule: string }[]> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const query = isPostgres
    ? sql<{ table: string; rule: string }>`
        select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as rule
          from pg_constraint where conrelid <> 0 and contype <> 'n'
        union all select indrelid::regclass::text, indexrelid::regclass::text
          from pg_index where indisunique
        union all select tgrelid::regclass::text, tgname::text from pg_trigger where not tgisinternal`
    : sql<{ table: string; rule: string }>`
        select tbl_name as "table", name as rule from sqlite_master
          where type = 'trigger' or (type = 'index' and (sql is null or sql like '%unique%'))`;
  return (await query.execute(db)).rows;
}

/** `before` and `after`: the tables on both sides of a migration. */
export function breakingChanges(before: Tables, after: Tables): string[] {
  return [...before].flatMap(([name, old]) => {
    const now = after.get(name);
    if (!now) return [`${name} is gone`];
    return [
      ...[...old.columns].flatMap(([column, was]) => {
        const is = now.columns.get(column);
        if (!is) return [`${name}.${column} is gone`];
        const isAsBefore = is.type === was.type && is.nullable === was.nullable;
        const isFilled = is.filled || !was.filled;
        return isAsBefore && isFilled ? [] : [`${name}.${column} has changed`];
      }),
      ...[...now.columns].flatMap(([column, { nullable, filled }]) =>
        old.columns.has(column) || nullable || filled
          ? []
          : [`${name}.${column} is new, and has neither a default nor NULL`],
      ),
      ...[...now.rules].flatMap((rule) =>
        old.rules.has(rule) ? [] : [`${name} has the new rule ${rule}`],
      ),
    ];
  });
}
