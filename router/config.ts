/** The router's configuration: one YAML file, refused whole with every fault named. */
import { readFile } from 'node:fs/promises';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { HOST_NAME, HOST_NAME_FAULT } from '../shared/host-names.ts';
import { UsdAmount } from '../shared/api/fields.ts';
import { LOG_LEVELS } from '../shared/log.ts';
import { formatUsd } from '../shared/money.ts';
import { Region } from '../shared/wire/messages.ts';
import { linkUrlFault } from '../shared/wire/link-url.ts';
import { WELCOME_TERMS } from './control/welcome/grant.ts';
import { POLICIES, type PolicyName } from './policies/table.ts';
import { STORE_URL, STORE_URL_FAULT } from './store/store.ts';

const port = z.int().min(0).max(65_535);
const policyNames = Object.keys(POLICIES) as [PolicyName, ...PolicyName[]];

/** Null: no limit. */
function rateLimit(normal: number | null) {
  return z.int().positive().nullable().default(normal);
}

const hostNames = z.array(z.string().regex(HOST_NAME, HOST_NAME_FAULT));
const baseUrl = z.url({ protocol: /^https?$/ }).regex(/\/v1$/, 'ends in /v1');

export const RouterConfig = z.strictObject({
  /** Where requests, agents and the management API come in; port 0 takes a free one. */
  listeners: z
    .array(
      z.strictObject({
        host: z.string().default('127.0.0.1'),
        port,
        region: Region,
        /** Files in PEM; without them it speaks plain HTTP, and something before it ends TLS. */
        tls: z.strictObject({ cert: z.string().min(1), key: z.string().min(1) }).optional(),
      }),
    )
    .nonempty(),
  /**
   * Where agents reach this router, for the others to tell them; any of its listeners will do. Not given: the first
   * listener where that is on loopback, else nowhere, and agents have to be configured with it.
   */
  advertise: z
    .string()
    .max(2048)
    .superRefine((text, context) => {
      const fault = linkUrlFault(text);
      if (fault !== null) context.addIssue({ code: 'custom', message: fault });
    })
    .optional(),
  /**
   * Told to stop, the router is not ready any more but still takes requests for so long: load balancers have to
   * notice, and agents to give their room to other routers.
   */
  drainGraceMs: z.int().min(0).max(600_000).default(5_000),
  metrics: z
    .strictObject({
      host: z.string().default('127.0.0.1'),
      port: port.default(9464),
      /** Names that they are asked for by, besides localhost and addresses. */
      allowedHosts: hostNames.optional(),
    })
    .prefault({}),
  /** `sqlite:PATH` for one router, `postgres://…` for a fleet of them. */
  store: z.string().regex(STORE_URL, STORE_URL_FAULT),
  catalog: z.string().min(1),
  /** A file that only the router may read, kept apart from the store: see `secrets.ts`. */
  secrets: z.string().min(1),
  /** The neutral segment in API keys: `sk-<brand>-infapi-…`. */
  brand: z
    .string()
    .regex(/^[a-z0-9]{1,32}$/, 'is 1 to 32 of a-z 0-9')
    .default('penstock'),
  policy: z.enum(policyNames).default('least-ttft'),
  /** How long a hold outlives a router that is gone. */
  holdTtlMs: z.int().min(1_000).max(600_000).default(30_000),
  /** For organizations and keys for which nothing else was set. */
  limits: z
    .strictObject({
      organization: z
        .strictObject({
          requestsPerMinute: rateLimit(10_000),
          tokensPerMinute: rateLimit(null),
          concurrentRequests: rateLimit(1_000),
        })
        .prefault({}),
      key: z
        .strictObject({
          requestsPerMinute: rateLimit(null),
          tokensPerMinute: rateLimit(null),
          concurrentRequests: rateLimit(null),
        })
        .prefault({}),
    })
    .prefault({}),
  /** Requests that wait while every worker of their model is full. */
  waiting: z
    .strictObject({
      requestsMax: z.int().min(0).max(100_000).default(1_000),
      waitMsMax: z.int().min(100).max(600_000).default(30_000),
    })
    .prefault({}),
  /** Whether hosts report what fits their answers: alarms, and nothing else (docs/hosts.md). */
  audit: z
    .strictObject({
      /** The share of requests that are looked at. */
      sample: z.number().min(0).max(1).default(0.01),
      /** Of which listeners the text that is looked at may be shown to another host, to be counted again. */
      recountIn: z.array(Region).default(['global']),
      /** How often a prompt of the router's own goes to all hosts of a model; null: never. */
      canaryEveryS: z.int().min(1).max(86_400).nullable().default(null),
    })
    .prefault({}),
  /** The management API and the dashboard. */
  control: z
    .strictObject({
      /** Where people reach the dashboard; the first listener, if nothing stands before it. */
      url: z.url({ protocol: /^https?$/ }).optional(),
      /** What customers are told to call, by region, each ending in `/v1`; this router's listeners, if not given. */
      baseUrls: z.strictObject({ global: baseUrl, us: baseUrl, eu: baseUrl }).partial().default({}),
      /** Names that the dashboard and the API are asked for by, besides localhost, addresses, `url` and `baseUrls`. */
      allowedHosts: hostNames.default([]),
      /** Addresses or networks of proxies that say in `X-Forwarded-For` who is behind them. */
      trustedProxies: z.array(z.string().min(1)).default([]),
      /** Whether anybody may sign up, or only who was invited. */
      signUp: z.enum(['open', 'invited']).default('open'),
    })
    .prefault({}),
  /**
   * Who takes payments. `sandbox`: a checkout of our own where nobody pays, for trying things out: it gives credit
   * for nothing. `stripe`: its keys are in the file of secrets.
   */
  payments: z
    .strictObject({
      provider: z.enum(['none', 'sandbox', 'stripe']).default('none'),
      /** Where Stripe's API is, if not at Stripe: a stand-in of it. */
      stripe: z
        .strictObject({ host: z.string().min(1), port, protocol: z.enum(['http', 'https']) })
        .partial()
        .default({}),
    })
    .prefault({}),
  /** What whoever signs up is given to try things out with, once for each address, when that is confirmed. */
  welcome: z
    .strictObject({
      /** In USD, as text or as a number, and text here: settings are written to files, too. 0: nothing. Also what an operator opens an organization with. */
      amount: z.coerce.string().pipe(UsdAmount).prefault(formatUsd(WELCOME_TERMS.amount)),
      /** How many of one network (IPv4 /24, IPv6 /48) have it in a day; the others an operator may give credit. */
      perNetworkPerDay: z.int().min(0).max(1_000_000).default(WELCOME_TERMS.perNetworkPerDay),
    })
    .prefault({}),
  /** How long what grows with every request is kept; sums and transfers are kept for ever. */
  retention: z
    .strictObject({
      /** Rows of single requests, in days; null: for ever. Invoices and caps of the last month need them. */
      usageDays: z.int().min(62).max(36_500).nullable().default(null),
    })
    .prefault({}),
  /** Without it, letters and the links in them are written to the log, for the operator to pass on. */
  mail: z
    .strictObject({
      /** `smtps://user:password@host` or `smtp://…`, as nodemailer has it. */
      smtp: z.url({ protocol: /^smtps?$/ }),
      from: z.string().min(3).max(320),
    })
    .optional(),
  logLevel: z.enum(LOG_LEVELS).default('info'),
});
export type RouterConfig = z.infer<typeof RouterConfig>;

/** By which names a router is asked for, besides localhost and addresses. */
export function hostNamesOf({ control, listeners, advertise }: RouterConfig): string[] {
  const { url, baseUrls, allowedHosts } = control;
  const urls = [url, advertise, ...Object.values(baseUrls)].filter((one) => one !== undefined);
  const names = urls.map((one) => new URL(one).hostname);
  return [...allowedHosts, ...names, ...listeners.map(({ host }) => host.toLowerCase())];
}

/** A fault in the configuration or the usage: exit status 2, and the message is all that is shown. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Checks a configuration object. Throws ConfigError with every fault. */
export function parseRouterConfig(object: unknown, source: string): RouterConfig {
  const parsed = RouterConfig.safeParse(object);
  if (!parsed.success) throw new ConfigError(`${source}:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

export async function readRouterConfig(file: string): Promise<RouterConfig> {
  return parseRouterConfig(await readSettings(file), file);
}

/** What stands in a YAML file, not checked yet. Throws ConfigError where it is none, or holds no settings. */
export async function readSettings(file: string): Promise<object> {
  let read: unknown;
  try {
    // Its errors would quote the line, and a store's URL may have a password in it.
    read = parseYaml(await readFile(file, 'utf8'), { prettyErrors: false });
  } catch (error) {
    throw new ConfigError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof read === 'object' && read !== null) return read;
  throw new ConfigError(`${file}: holds no settings`);
}
