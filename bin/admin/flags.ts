/** Schemas of flags. Ids become parts of paths, so nothing else is accepted as an id. */
import { z } from 'zod';
import { UsdAmount } from '../../shared/api/fields.ts';
import {
  AgentIdText,
  KeyIdText,
  ManagementTokenIdText,
  OrganizationIdText,
  PaymentIdText,
  PersonIdText,
} from '../../shared/api/ids.ts';
import { IdempotencyKey } from '../../shared/api/payments.ts';
import { SEARCH_CHARS_MAX } from '../../shared/bounds/search-chars.ts';
import { MODEL_ID } from '../../shared/model-id.ts';

export const organization = OrganizationIdText;
export const key = KeyIdText;
export const token = ManagementTokenIdText;
export const agent = AgentIdText;
export const payment = PaymentIdText;
export const person = PersonIdText;
export const search = z.string().min(1, 'is empty').max(SEARCH_CHARS_MAX).optional();
export const worker = z.string().min(1, 'is empty');

const limit = z
  .string()
  .regex(/^([1-9]\d{0,14}|default)$/, 'must be a whole number above 0, or default')
  .transform((text) => (text === 'default' ? null : Number(text)))
  .optional();
/** A limit that is not given stays as it is. */
export const limits = {
  requestsPerMinute: limit,
  tokensPerMinute: limit,
  concurrentRequests: limit,
};

/** Passed when a command that moves money is repeated. */
export const idempotencyKey = IdempotencyKey.optional();

export const amountOrNone = z
  .string()
  .refine((text) => text === 'none' || UsdAmount.safeParse(text).success, {
    error: 'must be none, or a decimal USD amount of 0 to 4000000 with at most 12 decimals',
  })
  .transform((text) => (text === 'none' ? null : text));

/** A list that is not given stays as it is. */
export const models = z
  .array(z.string())
  .transform((ids) => (ids.length === 1 && ids[0] === 'all' ? null : ids))
  .optional();

/** A cap that is not given stays as it is. */
export const caps = { monthlyCap: amountOrNone.optional(), dailyCap: amountOrNone.optional() };

export const days = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a number of days')
  .transform(Number)
  .optional();

/** A model's id, encoded for a path. */
export const model = z
  .string()
  .regex(MODEL_ID, 'must be the id of a model: <namespace>/<name>')
  .transform((id) => id.split('/').map(encodeURIComponent).join('/'));

/** An instant in the format of the API. */
export const expires = z.iso
  .datetime('must be an instant in UTC, such as 2027-01-31T00:00:00Z')
  .optional();
