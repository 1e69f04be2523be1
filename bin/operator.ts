/** `penstock operator …`: manages the operators of the platform in the store itself. */
import { z } from 'zod';
import {
  createOperatorIn,
  listOperatorsIn,
  revokeOperatorIn,
  rotateTokenIn,
} from '../router/installation/operators.ts';
import { StoreUrl } from '../router/store/store-url.ts';
import { Name } from '../shared/api/fields.ts';
import { Email } from '../shared/api/people.ts';
import { systemClock as clock } from '../shared/clock.ts';
import { makeLog } from '../shared/log.ts';
import { systemRandom as random } from '../shared/random.ts';
import { printFields, printJson, printTable, type Row } from './admin/output.ts';
import { checkFlags, Path } from './flags.ts';

const parts = { clock, random, log: makeLog('operator', 'warn') };

const OnStore = z.object({
  store: StoreUrl,
  json: z.boolean().default(false),
});
const WithSecrets = OnStore.extend({ secrets: Path });
const Named = WithSecrets.extend({ email: Email });

export async function create(given: object): Promise<void> {
  const flags = checkFlags(Named.extend({ name: Name.default('Operator') }), given);
  await show(flags.json, await createOperatorIn(flags, parts, flags), {
    '': 'The password and the token are shown only once, because the store keeps only their digests.',
  });
}

export async function list(given: object): Promise<void> {
  const { store, json } = checkFlags(OnStore, given);
  const rows = (await listOperatorsIn(store, parts)).map((row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    created: new Date(Number(row.created)).toISOString(),
    token: row.token_created === null ? '-' : new Date(Number(row.token_created)).toISOString(),
  }));
  if (json) await printJson(rows);
  else await printTable([rows], (row) => row);
}

export async function revoke(given: object): Promise<void> {
  const flags = checkFlags(Named, given);
  const id = await revokeOperatorIn(flags, parts, { email: flags.email });
  await show(flags.json, { id, operator: 'no' });
}

export async function rotateToken(given: object): Promise<void> {
  const flags = checkFlags(Named, given);
  const made = await rotateTokenIn(flags, parts, { email: flags.email });
  await show(flags.json, made, {
    '': 'The token is shown only once. The previous token is no longer valid.',
  });
}

async function show(json: boolean, made: Row, note: Row = {}): Promise<void> {
  await (json ? printJson(made) : printFields({ ...made, ...note }));
}
