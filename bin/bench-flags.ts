/** The flags of `penstock bench`. */
import { z } from 'zod';
import { STORE_URL, STORE_URL_FAULT } from '../router/store/open-store.ts';
import { bench } from './bench.ts';
import { checkFlags } from './flags.ts';

const whole = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number above 0')
  .transform(Number);
const decimal = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'must be a number')
  .transform(Number)
  .refine((number) => number > 0, 'must be above 0');

const Flags = z
  .object({
    url: z.url('must be a base URL such as http://127.0.0.1:8080/v1').optional(),
    key: z.string().optional(),
    metricsUrl: z.url('must be a URL').optional(),
    store: z.string().regex(STORE_URL, STORE_URL_FAULT).optional(),
    model: z.string().default('qwen/qwen3-235b-a22b-instruct-2507'),
    trace: z.string().optional(),
    speed: decimal.default(10),
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

const REQUESTS_DEFAULT = 500;

export async function benchWithFlags(given: object): Promise<void> {
  const flags = checkFlags(Flags, given);
  const { url, key, metricsUrl, store, trace } = flags;
  const requests =
    flags.requests ?? (trace === undefined ? REQUESTS_DEFAULT : Number.MAX_SAFE_INTEGER);
  const ok = await bench({ ...flags, url, key, metricsUrl, store, trace, requests });
  if (!ok) process.exitCode = 1;
}
