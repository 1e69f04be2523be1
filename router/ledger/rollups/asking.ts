/** What is asked of an organization's usage, and what comes out. */
import type { KeyId, MemberId, OrganizationId } from '../../../shared/ids.ts';
import type { Dimension } from './shapes.ts';
import type { Figures } from './sums.ts';
import type { BucketName } from './time.ts';

/** `2xx` are those answered; `4xx` has 499, too. */
export type StatusClass = '2xx' | '4xx' | '5xx';

export type Filters = Readonly<{
  model?: string | undefined;
  key?: KeyId | undefined;
  member?: MemberId | undefined;
  source?: 'api' | 'playground' | undefined;
}>;

export type SummaryAsk = Readonly<{
  organization: OrganizationId;
  bucket: BucketName;
  /** Ordinals; `until` is not included. */
  from: number;
  until: number;
  groupBy: Dimension | null;
  /** The groups with the highest cost, so many; the others are one. */
  groups: number;
  filters: Filters;
  status: StatusClass | null;
}>;

/** `value`: of the dimension, empty for none; null: the others together, or no grouping. */
export type GroupFigures = Readonly<{ value: string | null; figures: Figures }>;

export type Summary = Readonly<{
  totals: Figures;
  groups: readonly GroupFigures[];
  /** Only buckets and groups in which there was anything; by time, and within it as `groups` has them. */
  cells: readonly Readonly<{ ordinal: number; value: string | null; figures: Figures }>[];
}>;
