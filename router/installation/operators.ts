/**
 * Manages operators in the store itself, for when no router runs yet, or no operator is left who
 * could use the API.
 */
import type { AuditAction } from '../../shared/audit-actions.ts';
import type { Clock } from '../../shared/clock.ts';
import { mintId, type PersonId } from '../../shared/ids.ts';
import type { Random } from '../../shared/random.ts';
import { ConfigError } from '../config-error.ts';
import { type AuditEntry, systemEntry } from '../control/audit/record.ts';
import { mintOperator, mintOperatorToken } from '../control/operators/mint.ts';
import {
  findOperator,
  insertOperator,
  listOperators,
  type ListedOperator,
  type OperatorName,
  replaceOperatorToken,
  revokeOperator,
} from '../control/operators/procedures.ts';
import { openStoreReadOnly } from '../store/open-store.ts';
import type { StoreParts } from '../store/store.ts';
import { type Installation, openWithSecrets } from './open.ts';
import { REGISTRY, type Where } from './store.ts';

export type OperatorParts = StoreParts & Readonly<{ clock: Clock; random: Random }>;

const PAGE = 1_000;

export async function createOperatorIn(
  where: Where,
  parts: OperatorParts,
  named: Readonly<{ email: string; name: string }>,
): Promise<{ id: PersonId; email: string; password: string; token: string }> {
  const { store, pepper, clock } = await openWithSecrets(where, parts);
  await using opened = store;
  const { person, password, token, tokenRow } = await mintOperator(
    { ...parts, clock, pepper },
    named,
  );
  const entry = entryOf({ ...parts, clock }, 'operator.create', person.id);
  const answer = await opened.call(insertOperator, { by: null, person, token: tokenRow, entry });
  if (answer === 'taken') throw new ConfigError('--email: another person has this address');
  return { id: person.id, email: person.email, password, token };
}

export async function listOperatorsIn(
  url: string,
  parts: StoreParts,
): Promise<readonly ListedOperator[]> {
  await using store = await openStoreReadOnly({ url, registry: REGISTRY }, parts);
  return (await store.call(listOperators, { after: null, limit: PAGE })).rows;
}

export async function revokeOperatorIn(
  where: Where,
  parts: OperatorParts,
  name: OperatorName,
): Promise<PersonId> {
  const { store, clock } = await openWithSecrets(where, parts);
  await using opened = store;
  const person = await found(opened, name);
  const entry = entryOf({ ...parts, clock }, 'operator.revoke', person);
  const answer = await opened.call(revokeOperator, { by: null, person, entry });
  if (answer === 'none') throw noOperator();
  if (answer === 'last')
    throw new ConfigError('this is the last administrator: create another one first');
  return person;
}

export async function rotateTokenIn(
  where: Where,
  parts: OperatorParts,
  name: OperatorName,
): Promise<{ id: PersonId; token: string }> {
  const { store, pepper, clock } = await openWithSecrets(where, parts);
  await using opened = store;
  const person = await found(opened, name);
  const { token, row } = mintOperatorToken({ ...parts, clock, pepper }, person);
  const entry = entryOf({ ...parts, clock }, 'operator.rotate-token', person);
  // The operator may have been revoked since the lookup.
  const answer = await opened.call(replaceOperatorToken, { by: null, token: row, entry });
  if (answer === 'none') throw noOperator();
  return { id: person, token };
}

async function found(
  store: Pick<Installation['store'], 'call'>,
  name: OperatorName,
): Promise<PersonId> {
  const person = await store.call(findOperator, name);
  if (person === null) throw noOperator();
  return person;
}

function noOperator(): ConfigError {
  return new ConfigError('there is no such operator');
}

/** A command on the store itself has neither a request nor an address. */
function entryOf(
  { clock, random }: OperatorParts,
  action: AuditAction,
  target: PersonId,
): AuditEntry {
  return systemEntry({
    id: mintId('audit', clock, random),
    organization: null,
    action,
    target,
    details: { by: 'penstock operator' },
    created: clock.now(),
  });
}
