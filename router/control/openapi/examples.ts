/**
 * Examples for the OpenAPI document. A schema's own `examples` come first. Otherwise an example is
 * composed from the names of the fields, so that a new resource has examples without an entry here.
 * `test/router/control/matrix.test.ts` sends the example of every request body to the API.
 */
import { COMPONENT, type JsonSchema } from './schemas.ts';

const ULID = '01kap5zr4w8q2m6t9v3x7c1d5f';
const JOB = 'job_5f0d2c8a91b34e67d08f1a2b3c';

/** Example ids by the name of the component that has the `id` field. The first match counts. */
const IDS: readonly (readonly [component: RegExp, id: string])[] = [
  [/Key|Deleted/, 'key_4fKd82LmQz0A'],
  [/Worker/, `agt_${ULID}/vllm`],
  [/AgentEvent/, `hev_${ULID}`],
  [/Agent/, `agt_${ULID}`],
  [/Incident/, `icd_${ULID}`],
  [/Invitation/, `inv_${ULID}`],
  [/Invoice/, `ivc_${ULID}`],
  [/Job/, JOB],
  [/Token/, `mtk_${ULID}`],
  [/Member/, `mem_${ULID}`],
  [/Payment|TopUp|Receipt/, `pay_${ULID}`],
  [/Passkey/, `pky_${ULID}`],
  [/Session/, `ses_${ULID}`],
  [/Transfer/, `trf_${ULID}`],
  [/Audit/, `aud_${ULID}`],
  [/Organization/, `org_${ULID}`],
  [/Person|Account|Me/, `per_${ULID}`],
];

/**
 * Example values by the name of a field or parameter. `owner.field` counts before `field`: the owner
 * is the component, or the field that has the object. The first value that fits the type is used.
 */
const BY_FIELD: Readonly<Record<string, readonly unknown[]>> = {
  action: ['key.create'],
  after: [
    '42',
    'number.desc.42_42',
    `created.desc.1763719200000_org_${ULID}`,
    `created.desc.per_${ULID}`,
    `org_${ULID}`,
    '2026-11-20',
    '1763719200000-key_4fKd82LmQz0A',
    `1763719200000-${JOB}`,
    `hev_${ULID}`,
  ],
  address: ['203.0.113.7'],
  agent: [`agt_${ULID}`],
  agent_name: ['gpu-1'],
  agent_version: ['0.1.0'],
  amount: ['25'],
  available: ['17.25'],
  amount_due: ['412.06'],
  balance: ['17.5'],
  base_url: ['https://eu.api.example.com/v1'],
  bucket: ['day'],
  cached: ['0.00000005'],
  cached_savings: ['0.000045'],
  cached_tokens: [1024],
  checkout_url: ['https://checkout.example.com/c/cs_7Yd3'],
  client: ['Mozilla/5.0 (X11; Linux x86_64) Firefox/144.0'],
  completion: ['0.0000005'],
  closing: ['17.5'],
  completion_tokens: [356],
  completion_id: ['chatcmpl-01kap5zr4w8q2m6t9v3x7c1d5f'],
  concurrent_requests: [50],
  cost: ['0.00001425'],
  count: [3],
  'CreatedKey.name': ['Nightly batch'],
  'created_by.name': ['Ada Lovelace'],
  credit_limit: ['500'],
  email: ['ada@example.com'],
  duration_ms: [2310],
  endpoint: ['/v1/chat/completions'],
  engine: ['vllm'],
  error: [null],
  errors: [2],
  forecast: ['163.5'],
  end: ['2026-11-21T00:00:00.000Z'],
  expires: ['2099-01-01T00:00:00.000Z'],
  daily_cap: ['10'],
  finish_reason: ['stop'],
  from: ['2026-11-01'],
  has_more: [false],
  held: ['0.25'],
  group: ['qwen/qwen3-235b-a22b-instruct-2507'],
  group_by: ['model'],
  hub_model_id: ['Qwen/Qwen3-235B-A22B-Instruct-2507'],
  input_cache_read: ['0.00000005'],
  'invited_by.name': ['Ada Lovelace'],
  job: [JOB],
  join_token: ['penstock-join-…'],
  key: ['sk-penstock-infapi-…'],
  key_id: ['key_4fKd82LmQz0A'],
  key_name: ['ci'],
  kind: ['adjustment'],
  'Key.name': ['Nightly batch'],
  label: ['sk-penstock-infapi-4fKd82LmQz0A…'],
  limit: [100],
  low_balance_threshold: ['10'],
  member: [`mem_${ULID}`],
  'Member.name': ['Ada Lovelace'],
  member_id: [`mem_${ULID}`],
  member_name: ['Ada Lovelace'],
  'Me.name': ['Ada Lovelace'],
  model: ['qwen/qwen3-235b-a22b-instruct-2507', 'qwen3-235b-a22b-instruct-2507'],
  month: ['2026-11'],
  month_spent: ['81.75'],
  monthly_cap: ['100'],
  name: ['Acme'],
  namespace: ['qwen'],
  next: [null],
  opening: ['42.5'],
  organization_id: [`org_${ULID}`],
  organization_name: ['Acme'],
  p50: [320],
  p90: [640],
  p95: [810],
  p99: [1240],
  paid: ['25'],
  payment: [`pay_${ULID}`],
  person: [`per_${ULID}`],
  organization: [`org_${ULID}`],
  password: ['correct horse battery staple'],
  prompt: ['0.0000001'],
  prompt_tokens: [1480],
  quantization: ['fp8'],
  reason: ['prepaid by wire'],
  reasoning_tokens: [0],
  'RefusalEntry.code': ['invalid_value'],
  'RefusalEntry.message': ['temperature must be at most 2.'],
  refunded: ['0'],
  refund_pending: ['0'],
  refund_failed: ['0'],
  reference: [`pay_${ULID}`],
  region: ['eu'],
  request_id: [`req_${ULID}`],
  requests: [42],
  requests_per_minute: [600],
  revenue: ['412.0625'],
  router: [`rtr_${ULID}`],
  role: ['developer'],
  spent: ['81.75'],
  'spend.month': ['81.75'],
  'spend.today': ['2.5'],
  'spend.total': ['412.0625'],
  start: ['2026-11-20T00:00:00.000Z'],
  target_name: ['Nightly batch'],
  tax_id: ['DE123456789'],
  threshold: ['10'],
  title: ['Compare two contracts'],
  to: ['2026-11-30'],
  token: ['penstock-mgmt-…'],
  'Token.name': ['deploy script'],
  'CreatedToken.name': ['deploy script'],
  total: ['412.0625'],
  transfer_id: [`trf_${ULID}`],
  ttft_ms: [320],
  unit_price: ['0.0000001'],
  tokens_per_minute: [500_000],
  url: ['https://penstock.example.com/'],
  usage: ['412.0625'],
  welcome_credit: ['5'],
  worker: [`agt_${ULID}/vllm`],
};

const BY_FORMAT: Readonly<Record<string, Readonly<{ form: RegExp; example: string }>>> = {
  'date-time': { form: /^\d{4}-\d\d-\d\dT/, example: '2026-11-21T12:00:00.000Z' },
  date: { form: /^\d{4}-\d\d-\d\d$/, example: '2026-11-21' },
  email: { form: /@/, example: 'ada@example.com' },
  uri: { form: /^https?:/, example: 'https://penstock.example.com/' },
};

export type Components = Readonly<Record<string, JsonSchema>>;

/**
 * Builds an example of a schema. A nullable field is never left out, so that readers see every
 * field.
 */
export function exampleOf(
  schema: JsonSchema,
  components: Components,
  field?: string,
  owner?: string,
): unknown {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(COMPONENT.length);
    const made = exampleOf(components[name] as JsonSchema, components, name);
    const id = IDS.find(([component]) => component.test(name))?.[1];
    const hasId = components[name]?.properties?.['id']?.type === 'string';
    return id !== undefined && hasId ? { ...(made as object), id } : made;
  }
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema['const'] !== undefined) return schema['const'];
  const known = knownOf(schema, field, owner);
  if (known !== undefined) return known;
  if (schema['enum'] !== undefined) return (schema['enum'] as unknown[])[0];
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return exampleOf(either[0] as JsonSchema, components, field, owner);
  return BY_TYPE[typesOf(schema)[0] ?? 'object']?.(schema, components, field);
}

function knownOf(schema: JsonSchema, field = '', owner = ''): unknown {
  const types = typesOf(schema);
  return (BY_FIELD[`${owner}.${field}`] ?? BY_FIELD[field] ?? []).find((value) => {
    if (value === null) return types.includes('null');
    if (typeof value === 'boolean') return types.includes('boolean');
    if (typeof value === 'number') return types.some((type) => NUMBERS.has(type));
    return types.includes('string') && fits(schema, value as string);
  });
}

const NUMBERS = new Set(['integer', 'number']);

function fits(schema: JsonSchema, value: string): boolean {
  const { pattern, format } = schema;
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  if (typeof format === 'string') return BY_FORMAT[format]?.form.test(value) ?? false;
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value);
}

function typesOf({ type }: JsonSchema): string[] {
  return type === undefined ? [] : [type].flat();
}

type Make = (schema: JsonSchema, components: Components, field?: string) => unknown;

const BY_TYPE: Readonly<Record<string, Make>> = {
  object: ({ properties = {} }, components, owner) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [
        name,
        exampleOf(inner, components, name, owner),
      ]),
    ),
  array: ({ items }, components, field = '') =>
    items ? [exampleOf(items, components, field.replace(/s$/, ''))] : [],
  string: (schema) => {
    const {
      format,
      pattern = '',
      minLength = 0,
    } = schema as Readonly<
      Record<'format' | 'pattern', string | undefined> & { minLength?: number }
    >;
    const kind = /^\^\(?([a-z]{3})[|)_]/.exec(pattern)?.[1];
    const id = kind === 'key' ? 'key_4fKd82LmQz0A' : `${kind}_${ULID}`;
    const text = 'text'.padEnd(minLength, '-');
    return BY_FORMAT[String(format)]?.example ?? [text, id, '25'].find((one) => fits(schema, one));
  },
  integer: ({ minimum, exclusiveMinimum }) =>
    Math.max(1, Number(minimum ?? 1), Number(exclusiveMinimum ?? 0) + 1),
  number: () => 0.5,
  boolean: () => true,
  null: () => null,
};
