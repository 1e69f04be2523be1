/** Who may manage the platform: the bearer of an operator's token, which is looked up by its digest. */
import { digestSecret, type PersonId } from '../../../shared/ids.ts';
import type { StoreReader } from '../../store/store.ts';
import { Refused } from '../api.ts';
import { findOperator } from './procedures.ts';

export type OperatorParts = Readonly<{ store: StoreReader; pepper: Uint8Array }>;

const BEARER = /^Bearer (penstock-op-[0-9A-Za-z]{40})$/i;

/** The operator behind an `Authorization` header. Throws Refused where there is none: an API key is none. */
export async function authenticateOperator(
  { store, pepper }: OperatorParts,
  header: string | undefined,
): Promise<PersonId> {
  if (header === undefined) {
    throw new Refused(
      'missing_api_key',
      'No operator token: send the header "Authorization: Bearer <OPERATOR_TOKEN>".',
    );
  }
  const token = BEARER.exec(header)?.[1];
  const operator =
    token && (await store.call(findOperator, { digest: digestSecret(pepper, token) }));
  if (!operator) throw new Refused('invalid_api_key', 'The operator token is invalid.');
  if (!operator.operator) throw new Refused('forbidden', 'You are not an operator any more.');
  return operator.person;
}
