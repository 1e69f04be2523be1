/** API keys in the management API. */
import { z } from 'zod';
import { KEY_STATE_VALUES } from '../key-states.ts';
import { limits } from '../limits.ts';
import { MODEL_ID } from '../model-id.ts';
import { Cap, Limits, LimitsChange, Name, PRINTED, PRINTED_FAULT, instant, usd } from './fields.ts';
import { page } from './pages.ts';

const monthlyCap = Cap.describe(
  'The most that the key may spend in a calendar month (UTC), in USD. Null: no cap.',
).meta({ examples: ['25'] });

const dailyCap = Cap.describe(
  'The most that the key may spend in a day (UTC), in USD. Null: no cap.',
).meta({ examples: ['5'] });

const ModelId = z
  .string()
  .max(
    limits.modelIdCharsMax,
    `The ID of a model has at most ${limits.modelIdCharsMax} characters.`,
  )
  .regex(MODEL_ID, 'The ID of a model is <namespace>/<name>.')
  .regex(PRINTED, PRINTED_FAULT)
  // An id that looks right and is not would allow nothing.
  .regex(/^[^\p{Cf}\p{Cs}]*$/u, 'Remove invisible characters from the ID of the model.')
  .meta({ examples: ['qwen/qwen3-235b-a22b-instruct-2507'] });

/** An empty list is read as null. An id that is given twice is kept once. */
export const AllowedModels = z
  .array(ModelId)
  .max(limits.allowedModelsMax, `Name at most ${limits.allowedModelsMax} models.`)
  .transform((models) => (models.length === 0 ? null : [...new Set(models)]))
  .refine(
    (models) =>
      models === null || Buffer.byteLength(models.join(' ')) <= limits.allowedModelsBytesMax,
    `All IDs together have at most ${limits.allowedModelsBytesMax} bytes.`,
  )
  .nullable()
  .describe(
    'The IDs of the models that the key may call. Null, or an empty list: all models. A model may be named before the catalog has it.',
  );

/**
 * The instant from which a key is refused, in ms since the epoch. The API compares it with its own
 * clock to check that it is in the future.
 */
export const Expiry = z.iso
  .datetime('Enter an instant in UTC, such as 2027-01-31T00:00:00Z.')
  .transform((text) => Date.parse(text))
  .nullable()
  .describe('The instant from which it is refused. Null: never.')
  .meta({ examples: ['2027-01-31T00:00:00Z'] });

const changeable = {
  limits: LimitsChange.optional(),
  monthly_cap: monthlyCap.optional(),
  daily_cap: dailyCap.optional(),
  expires: Expiry.optional(),
  allowed_models: AllowedModels.optional(),
};

const name = Name.describe(
  'The name under which usage is listed, also after the key is deleted.',
).meta({
  examples: ['Nightly batch'],
});

/** Only the fields that are given change. */
export const KeyChange = z.strictObject({ name: name.optional(), ...changeable });
export type KeyChange = z.output<typeof KeyChange>;

export const NewKey = z.strictObject({ name, ...changeable });

const member = z.object({
  member: z.string(),
  name: z.string().nullable().describe('Null when the data of this person has been erased.'),
});

/** A management token or an operator. The API does not say which operator it was. */
const other = z.object({
  kind: z.enum(['management-token', 'operator']),
  id: z.string().nullable().describe('Of the management token. Null for an operator.'),
  name: z
    .string()
    .nullable()
    .describe('Of the management token. Null for an operator.')
    .meta({ examples: ['Terraform'] }),
});

export const Key = z.object({
  id: z.string(),
  name: z.string(),
  label: z
    .string()
    .describe('The beginning of the key: enough to tell keys apart, too little to use one.')
    .meta({ examples: ['sk-penstock-infapi-0aB1cD2eF3gH…'] }),
  state: z
    .enum(KEY_STATE_VALUES)
    .describe(
      'Only active keys are accepted. An expired key is accepted again when its expiry is moved to a later instant.',
    ),
  created_by: member
    .nullable()
    .describe(
      'The member who created the key. Null when a management token or an operator created it.',
    ),
  created_by_other: other
    .nullish()
    .describe(
      'The management token or the operator that created the key. Null when a member created it, and when the audit log does not say who did. Absent when a router of an earlier version answers.',
    ),
  limits: Limits.describe("The key's own limits. The organization's limits apply as well."),
  monthly_cap: usd.nullable(),
  daily_cap: usd.nullable(),
  allowed_models: z
    .array(z.string())
    .nullish()
    .describe(
      'The IDs of the models that the key may call. Null: all models. Absent when a router of an earlier version answers.',
    ),
  spend: z
    .object({
      today: usd.describe('The charges that were made on this day (UTC).'),
      month: usd.describe('The spend on requests that arrived in this calendar month (UTC).'),
      total: usd,
    })
    .describe('The spend in USD, up to the newest request that has ended.'),
  created: instant,
  expires: instant.nullable(),
  revoked: instant
    .nullish()
    .describe(
      'Null while the key is not revoked. Also null for a key that was revoked before Penstock recorded the time. Absent when a router of an earlier version answers.',
    ),
  revoked_by: member
    .nullish()
    .describe(
      'The member who revoked the key. Null when a management token, an operator, or the first proof of the address of an account ended it. Absent when a router of an earlier version answers.',
    ),
  revoked_by_other: other
    .nullish()
    .describe(
      'The management token or the operator that revoked the key. Null when a member revoked it, and when the audit log does not say who did. Absent when a router of an earlier version answers.',
    ),
  last_used: instant.nullable(),
});
export type Key = z.infer<typeof Key>;
export const KeyPage = page(Key);

/** The response to the creation of a key, and the only one that contains the key itself. */
export const CreatedKey = Key.extend({
  key: z
    .string()
    .describe(
      'The key itself. No other response contains it, because only a digest of it is kept.',
    ),
});

export const Deleted = z.object({ id: z.string(), deleted: z.literal(true) });
