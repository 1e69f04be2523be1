/** Requests that were refused before they were admitted, in the management API. */
import { z } from 'zod';
import { REFUSALS, type RefusalCode } from '../refusals.ts';
import { count, instant } from './fields.ts';
import { KeyIdText, RequestIdText } from './ids.ts';
import { oneOrMore, page, pageQuery } from './pages.ts';
import { OperatorUsageDetail, queryInstant, UsageDetail } from './usage.ts';

const code = z.enum(Object.keys(REFUSALS) as [RefusalCode, ...RefusalCode[]]);

const narrowing = {
  start: queryInstant.optional(),
  /** Exclusive. */
  end: queryInstant.optional(),
  key: oneOrMore(KeyIdText),
  code: oneOrMore(code).meta({ description: 'Only refusals with this error code.' }),
  status: oneOrMore(z.enum(['4xx', '5xx'])),
};

export const RefusalQuery = pageQuery(RequestIdText).extend({
  ...narrowing,
  model: oneOrMore(z.string().min(1).max(256)),
});
export type RefusalQuery = z.output<typeof RefusalQuery>;

export const RefusalEntry = z.object({
  request_id: z.string(),
  key_id: z.string(),
  /** Kept when the key is deleted. Null when it is not known. */
  key_name: z.string().nullable(),
  region: z.string(),
  endpoint: z
    .string()
    .nullable()
    .describe('The path, without parameters. Null when no endpoint has the requested path.'),
  model: z
    .string()
    .nullable()
    .describe('As the client wrote it, shortened. Null when the body was not read so far.'),
  param: z.string().nullable().describe('The field at fault.'),
  message: z.string(),
  status: z.int(),
  code: z.string(),
  created: instant,
});
export type RefusalEntry = z.infer<typeof RefusalEntry>;
export const RefusalPage = page(RefusalEntry);

export const RefusalCountsQuery = z.strictObject({
  ...narrowing,
  bucket: z
    .enum(['minute', 'hour', 'day'])
    .default('day')
    .describe('The length of the buckets, which are periods in UTC.'),
  group_by: z.enum(['code', 'key']).optional(),
});
export type RefusalCountsQuery = z.output<typeof RefusalCountsQuery>;

const group = z
  .string()
  .nullable()
  .describe('A code, or the id of a key. Null without `group_by`, and for all other keys.');

/** Buckets without refusals are left out. */
export const RefusalCounts = z.object({
  /** The start of the first bucket. */
  start: instant,
  /** The end of the last bucket, exclusive. */
  end: instant,
  bucket: z.string(),
  group_by: z.string().nullable(),
  total: count,
  /** The highest count first. Empty without `group_by`. */
  groups: z.array(z.object({ group, name: z.string().nullable(), count })),
  data: z.array(z.object({ start: instant, group, count })),
});
export type RefusalCounts = z.infer<typeof RefusalCounts>;

/** A request by its id: either admitted or refused before. The other of the two is null. */
export const FoundRequest = z.object({
  usage: UsageDetail.nullable(),
  refusal: RefusalEntry.nullable(),
});
export type FoundRequest = z.infer<typeof FoundRequest>;

/** The same for operators, who find a request by its id alone. */
export const OperatorRefusal = RefusalEntry.extend({ organization_id: z.string() });
export type OperatorRefusal = z.infer<typeof OperatorRefusal>;
export const OperatorFoundRequest = z.union([OperatorUsageDetail, OperatorRefusal]);
