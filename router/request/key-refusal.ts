/** A refusal for an API key, with its cause for the metrics. The client is told less. */
import type { KeyId, OrganizationId } from '../../shared/ids.ts';
import { Refusal, type RefusalCode } from '../../shared/refusals.ts';

export type KeyRefusalCause =
  | 'missing'
  | 'malformed'
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'wrong_region';

export type KeyOwner = Readonly<{ organization: OrganizationId; key: KeyId }>;

export class KeyRefusal extends Refusal {
  readonly cause: KeyRefusalCause;
  /** Whose key it is or was. Null for a key that never existed. */
  readonly owner: KeyOwner | null;

  constructor(
    code: RefusalCode,
    cause: KeyRefusalCause,
    { message, owner = null }: Readonly<{ message?: string; owner?: KeyOwner | null }> = {},
  ) {
    super(code, message === undefined ? {} : { message });
    this.cause = cause;
    this.owner = owner;
  }
}
