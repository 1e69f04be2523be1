/** On PostgreSQL: what the data plane asks of keys. The lookups of a batch are read together. */
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import type { BatchConnection } from '../../store/procedure.ts';
import type { KeyRow, MeterRow, WindowRow } from '../../store/schema/ledger.ts';
import { columnsOf, METERS } from '../columns.ts';
import {
  KEY_COLUMNS,
  type KeyAndOrganization,
  keyRecordOf,
  keyStandingOf,
  type NamedKey,
  type RateRow,
} from '../key-record.ts';
import type { OperationOf } from '../operations.ts';
import { RateWindow } from '../rules/window.ts';
import type { WindowId } from '../unit-of-work.ts';
import type { Answers, Indexed } from './indexed.ts';
import { windowOf } from './reads.ts';

export async function findKeys(
  connection: BatchConnection,
  asked: readonly Indexed<OperationOf<'findKey'>>[],
): Promise<Answers> {
  if (asked.length === 0) return [];
  const keys = await connection.query<KeyAndOrganization>({
    name: 'keys',
    text: `SELECT ${KEY_COLUMNS} FROM keys k
      JOIN organizations o ON o.id = k.organization JOIN accounts a ON a.id = o.id
      WHERE k.digest = ANY($1::text[])`,
    values: [[...new Set(asked.map(([, { digest }]) => digest))]],
  });
  const rates = await connection.query<RateRow & { organization: OrganizationId }>({
    name: 'rates',
    text: `SELECT r.organization, p.id, p.model, p.prompt, p.completion, p.cached
      FROM rates r JOIN prices p ON p.id = r.price WHERE r.organization = ANY($1::text[])`,
    values: [[...new Set(keys.map(({ organization }) => organization))]],
  });
  const records = new Map(
    keys.map((row) => [
      row.digest,
      keyRecordOf(
        row,
        rates.filter(({ organization }) => organization === row.organization),
      ),
    ]),
  );
  return asked.map(([index, { digest }]) => [index, { answer: records.get(digest) ?? null }]);
}

/** Locks nothing: what is left may have changed by the time that the client reads it. */
export async function readStandings(
  connection: BatchConnection,
  asked: readonly Indexed<OperationOf<'keyStanding'>>[],
): Promise<Answers> {
  if (asked.length === 0) return [];
  const keys = new Set(asked.map(([, { key }]) => key));
  const organizations = new Set(asked.map(([, { organization }]) => organization));
  const ask = <Row extends object>(name: string, text: string, ids: readonly string[]) =>
    connection.query<Row>({ name, text, values: [ids] });
  const [names, meterRows, windowRows] = await Promise.all([
    ask<NamedKey & Pick<KeyRow, 'id'>>(
      'key names',
      'SELECT id, name, label FROM keys WHERE id = ANY($1::text[])',
      [...keys],
    ),
    ask<MeterRow>(
      'key meters',
      `SELECT ${columnsOf('m', METERS)} FROM meters m WHERE key = ANY($1::text[])`,
      [...keys],
    ),
    ask<Pick<WindowRow, 'subject' | 'counts' | 'slot'>>(
      'key windows',
      'SELECT subject, counts, slot FROM windows WHERE subject = ANY($1::text[])',
      [...organizations, ...keys],
    ),
  ]);
  const named = new Map(names.map((row) => [row.id, row]));
  const meters = new Map(meterRows.map((row) => [row.key, row]));
  const windows = new Map(windowRows.map((row) => [row.subject, windowOf(row)]));
  const work = {
    meter: (id: KeyId) => meters.get(id),
    window: (id: WindowId) => windows.get(id) ?? new RateWindow(),
  };
  return asked.map(([index, one]) => [index, keyStandingOf(work, one, named.get(one.key))]);
}
