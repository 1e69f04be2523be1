/** Queries of an organization's usage, and their results. */
import type { UsageSums } from '../../../shared/api/usage.ts';
import type { KeyId, MemberId, OrganizationId } from '../../../shared/ids.ts';
import type { AdmittedStatus } from '../../../shared/request-statuses.ts';
import type { Dimension } from './shapes.ts';
import type { BucketName } from '../time-buckets.ts';

/** The values of a dimension of which a request has one. Undefined: any value. */
export type Filters = Readonly<{
  model?: readonly string[] | undefined;
  key?: readonly KeyId[] | undefined;
  member?: readonly MemberId[] | undefined;
  source?: readonly ('api' | 'playground')[] | undefined;
}>;

export type SummaryQuery = Readonly<{
  organization: OrganizationId;
  bucket: BucketName;
  /** Ordinals of buckets; `until` is not included. */
  from: number;
  until: number;
  groupBy: Dimension | null;
  /** How many groups to show, by highest cost; all others are one group. */
  groups: number;
  filters: Filters;
  /** Undefined: any status. */
  status?: readonly AdmittedStatus[] | undefined;
}>;

/**
 * `value`: the group's value of the dimension, empty for none; null for all other groups together,
 * or without grouping.
 */
export type GroupFigures = Readonly<{ value: string | null; figures: UsageSums }>;

export type Summary = Readonly<{
  totals: UsageSums;
  groups: readonly GroupFigures[];
  /** Only buckets and groups with requests: by time, then in the order of `groups`. */
  cells: readonly Readonly<{ ordinal: number; value: string | null; figures: UsageSums }>[];
}>;
