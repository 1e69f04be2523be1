/** The tables of requests that were refused before they were admitted (decision 0028). */
import type { KeyId, OrganizationId, RequestId } from '../../../shared/ids.ts';
import type { RefusalCode } from '../../../shared/refusals.ts';

export interface RefusalTables {
  refusal_counts: RefusalCountRow;
  refusals: RefusalRow;
}

/**
 * How many requests one recorder has counted in one minute. A recorder alone writes its rows. A row
 * whose recorder is empty has the count of an hour, which begins with its minute. Any router writes it.
 */
export interface RefusalCountRow {
  organization: OrganizationId;
  /** Minutes since 1970. */
  minute: bigint;
  /** Empty for keys beyond those that a recorder counts apart in one minute. */
  key: KeyId | '';
  code: RefusalCode;
  recorder: string;
  count: bigint;
}

/** One of the latest refusals of an organization. */
export interface RefusalRow {
  request: RequestId;
  organization: OrganizationId;
  key: KeyId;
  region: string;
  /** The path, without parameters. Null when no endpoint has the requested path. */
  endpoint: string | null;
  /** As the client wrote it, shortened. Null when the body was not read so far. */
  model: string | null;
  param: string | null;
  message: string;
  status: bigint;
  code: RefusalCode;
  created: bigint;
}
