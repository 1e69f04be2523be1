/** The flags of `penstock bench`. */
import { z } from 'zod';
import { StoreUrl } from '../router/store/store-url.ts';

const whole = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number above 0')
  .transform(Number);
const decimal = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'must be a number')
  .transform(Number)
  .refine((number) => number > 0, 'must be above 0');

export const BenchFlags = z
  .object({
    /** Absent: a private service is started. */
    url: z.url('must be a base URL such as http://127.0.0.1:8080/v1').optional(),
    key: z.string().optional(),
    metricsUrl: z.url('must be a URL').optional(),
    /** The store of the private service. Absent: SQLite. */
    store: StoreUrl.optional(),
    model: z.string().default('qwen/qwen3-235b-a22b-instruct-2507'),
    trace: z.string().optional(),
    /** How many times faster than the trace. */
    speed: decimal.default(10),
    /** Absent: the whole trace, or 500. */
    requests: whole.optional(),
    perSecond: decimal.default(20),
    promptTokens: whole.default(1_000),
    completionTokens: whole.default(200),
    concurrency: whole.default(1_000),
    json: z.boolean().default(false),
  })
  .refine(({ url, key }) => (url === undefined) === (key === undefined), {
    path: ['key'],
    error: 'and --url must be given together',
  });
export type BenchFlags = z.output<typeof BenchFlags>;
