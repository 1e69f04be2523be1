/** A refusal for an API key, with its cause for the metrics. The client is told less. */
import { Refusal, type RefusalCode } from '../../shared/refusals.ts';

export type KeyRefusalCause =
  | 'missing'
  | 'malformed'
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'suspended'
  | 'wrong_region';

export class KeyRefusal extends Refusal {
  readonly cause: KeyRefusalCause;

  constructor(code: RefusalCode, cause: KeyRefusalCause, message?: string) {
    super(code, message === undefined ? {} : { message });
    this.cause = cause;
  }
}
