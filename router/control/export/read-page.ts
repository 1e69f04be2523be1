/** Reads an organization's export, a page of one part at a time. */
import { sql } from 'kysely';
import type { OrganizationId } from '../../../shared/ids.ts';
import { formatUsd, picoUsd } from '../../../shared/money.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { readProcedure } from '../../store/procedure.ts';
import { isoInstant } from '../api.ts';
import { type Kind, type Part, PARTS } from './parts.ts';

export type ExportQuery = Readonly<{
  organization: OrganizationId;
  part: string;
  /** `next` of the previous page; null for the first page. */
  after: string | null;
  /**
   * ms since the epoch. Later rows are left out, so that a slow reader reaches the end of a busy
   * organization.
   */
  until: number;
  limit: number;
}>;

export type ExportedPage = Readonly<{
  rows: readonly Readonly<Record<string, unknown>>[];
  next: string | null;
}>;

type ReadRow = Record<string, bigint | string | null>;

/** Reads a page of one part, oldest first. Throws when there is no such part. */
export const readExportPage = readProcedure<ExportQuery, ExportedPage>(
  'readExportPage',
  { heavy: true },
  async (db, { organization, part: name, after, until, limit }) => {
    const wanted = PARTS[name];
    if (!wanted) throw new Error(`an export has no ${name}`);
    const { from, cursor, seek, created, columns } = wanted;
    const selected = Object.entries(columns).map(
      ([column, [, value]]) => sql`${value} as ${sql.ref(column)}`,
    );
    const beyond = wanted.cursorKind === 'count' ? BigInt(after ?? 0) : (after ?? '');
    const isAfter = seek && after !== null ? seek.after(after) : sql`${cursor} > ${beyond}`;
    const inTime = created ? sql`${created} <= ${milliseconds(until)}` : sql`1 = 1`;
    const { rows } = await sql<ReadRow>`
      select ${cursor} as cursor_, ${sql.join(selected)} from ${from}
      where ${wanted.organization} = ${organization} and ${isAfter} and ${inTime}
      order by ${seek?.order ?? cursor} limit ${limit}`.execute(db);
    const last = rows.length < limit ? undefined : rows.at(-1);
    return {
      rows: rows.map((row) => shown(columns, row)),
      next: last ? String(last['cursor_']) : null,
    };
  },
);

function shown(columns: Part['columns'], row: ReadRow): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).map(([column, [kind]]) => [column, SHOW[kind](row[column] ?? null)]),
  );
}

type Show = (value: bigint | string | null) => unknown;

function unlessNull(show: (value: bigint | string) => unknown): Show {
  return (value) => (value === null ? null : show(value));
}

const SHOW: Readonly<Record<Kind, Show>> = {
  text: (value) => value,
  usd: unlessNull((value) => formatUsd(picoUsd(BigInt(value)))),
  instant: unlessNull((value) => isoInstant(BigInt(value))),
  count: unlessNull(Number),
  json: unlessNull((value) => JSON.parse(String(value)) as unknown),
};
