/**
 * The router's configuration: one YAML file. An invalid file is rejected as a whole, and the error
 * lists every fault.
 */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { PartyName, PartyTaxId, PrintedLines } from '../shared/api/billing-details.ts';
import { PRINTED, PRINTED_FAULT, UsdAmount } from '../shared/api/fields.ts';
import { HOST_NAME, HOST_NAME_FAULT } from '../shared/host-names.ts';
import { LOG_LEVELS } from '../shared/log.ts';
import { formatUsd } from '../shared/money.ts';
import { Region } from '../shared/region-schema.ts';
import { RequestLogSetting } from '../shared/request-log-setting.ts';
import { systemFault } from '../shared/system-fault.ts';
import { OtlpSetting } from '../shared/tracing/setting.ts';
import { isLoopback, linkUrlFault } from '../shared/wire/link-url.ts';
import { parseYaml } from '../shared/yaml.ts';
import { ConfigError } from './config-error.ts';
import { INVOICES, RECEIPTS } from './control/documents/number.ts';
import { OperatorSetting } from './control/operator-setting.ts';
import { WELCOME_TERMS } from './control/welcome/terms.ts';
import { POLICIES, type PolicyName } from './routing/policies/table.ts';
import { StoreUrl } from './store/store-url.ts';

const port = z.int().min(0).max(65_535);
const policyNames = Object.keys(POLICIES) as [PolicyName, ...PolicyName[]];

/** A rate limit with the default `normal`. Null means no limit. */
function rateLimit(normal: number | null) {
  return z.int().positive().nullable().default(normal);
}

const hostNames = z.array(z.string().regex(HOST_NAME, HOST_NAME_FAULT));
const baseUrl = z.url({ protocol: /^https?$/ }).regex(/\/v1$/, 'must end in /v1');

/** Each agent has a link to each process, and each process keeps a forecast of every worker. */
const PROCESSES_MAX = 64;

const Settings = z.strictObject({
  /** Addresses that accept requests, agents and the management API. Port 0 picks a free port. */
  listeners: z
    .array(
      z.strictObject({
        host: z.string().default('127.0.0.1'),
        port,
        region: Region,
        /** PEM files. Without `tls` the listener speaks plain HTTP; a proxy may terminate TLS. */
        tls: z.strictObject({ cert: z.string().min(1), key: z.string().min(1) }).optional(),
      }),
    )
    .nonempty(),
  /**
   * The URL at which agents reach this router. The other routers pass it on to their agents. Any
   * listener of this router will do. Default: the first listener if its address is loopback,
   * otherwise none. If there is none, each agent's configuration must contain the URL.
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
   * After a stop signal the router reports that it is not ready, but still accepts requests for
   * this many milliseconds. In this time load balancers stop sending requests.
   */
  drainGraceMs: z.int().min(0).max(600_000).default(5_000),
  /**
   * How many processes serve the listeners together (docs/processes.md). `auto`: one for each core.
   * More than one need a URL at which agents reach them: `advertise`, or a listener on loopback.
   */
  processes: z.union([z.int().min(1).max(PROCESSES_MAX), z.literal('auto')]).default(1),
  metrics: z
    .strictObject({
      host: z.string().default('127.0.0.1'),
      port: port.default(9464),
      /** Host names under which metrics may be requested, besides localhost and IP addresses. */
      allowedHosts: hostNames.optional(),
    })
    .prefault({}),
  /** `sqlite:PATH` for one router, or `postgres://…` for several routers. */
  store: StoreUrl,
  catalog: z.string().min(1),
  /** A file that only the router may read, kept apart from the store. See `secrets.ts`. */
  secrets: z.string().min(1),
  /** The neutral segment in API keys: `sk-<brand>-infapi-…`. */
  brand: z
    .string()
    .regex(/^[a-z0-9]{1,32}$/, 'must be 1 to 32 characters of a-z and 0-9')
    .default('penstock'),
  policy: z.enum(policyNames).default('least-ttft'),
  /**
   * How long the holds of a router remain after its last heartbeat. Heartbeats come six times as
   * often.
   */
  holdTtlMs: z.int().min(1_000).max(600_000).default(30_000),
  /** Limits for organizations and keys that have no limits of their own. */
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
  /**
   * The queue of requests that wait while every worker of their model is full. When all places are
   * taken, organizations with fewer requests take the places of the one with the most.
   */
  waiting: z
    .strictObject({
      requestsMax: z.int().min(0).max(100_000).default(1_000),
      waitMsMax: z.int().min(100).max(600_000).default(30_000),
    })
    .prefault({}),
  /**
   * Checks whether the counts that hosts report fit their answers. A failed check raises an alarm
   * and changes nothing else (docs/hosts.md).
   */
  audit: z
    .strictObject({
      /** The share of requests that are audited, from 0 to 1. */
      sample: z.number().min(0).max(1).default(0.01),
      /** Listeners whose audited texts may be sent to another host for a second count. */
      recountIn: z.array(Region).default(['global']),
      /**
       * Seconds between canaries: prompts of the router's own that it sends to all hosts of a
       * model. Null means that none are sent.
       */
      canaryEveryS: z.int().min(1).max(86_400).nullable().default(null),
    })
    .prefault({}),
  /** The management API and the dashboard. */
  control: z
    .strictObject({
      /** The URL of the dashboard. Default: the first listener. */
      url: z.url({ protocol: /^https?$/ }).optional(),
      /** The base URL for customers, for each region. Default: this router's listeners. */
      baseUrls: z.strictObject({ global: baseUrl, us: baseUrl, eu: baseUrl }).partial().default({}),
      /**
       * Host names under which the dashboard and the API may be requested, besides localhost, IP
       * addresses and the host names of `url` and `baseUrls`.
       */
      allowedHosts: hostNames.default([]),
      /** Addresses or networks of proxies whose `X-Forwarded-For` header is trusted. */
      trustedProxies: z.array(z.string().min(1)).default([]),
      /** Whether anybody may sign up, or only people who were invited. */
      signUp: z.enum(['open', 'invited']).default('open'),
      /**
       * Whether anybody may see the models with their prices and measured figures, and the status
       * page. Otherwise only people who are signed in. Default: true if `signUp` is `open`.
       */
      publicModels: z.boolean().optional(),
    })
    .prefault({}),
  /**
   * The payment provider. `sandbox` is a checkout of our own that gives credit without any payment,
   * for trials. `stripe` requires its keys in the secrets file.
   */
  payments: z
    .strictObject({
      provider: z.enum(['none', 'sandbox', 'stripe']).default('none'),
      /** The address of a stand-in for Stripe's API. Default: Stripe itself. */
      stripe: z
        .strictObject({ host: z.string().min(1), port, protocol: z.enum(['http', 'https']) })
        .partial()
        .default({}),
    })
    .prefault({}),
  /**
   * The seller on receipts and invoices. Without it they name no seller. A document keeps the seller
   * that was configured when it was issued. The landing page shows the name, address and tax ID to
   * everybody.
   */
  seller: z
    .strictObject({
      name: PartyName.pipe(z.string().min(1)),
      /** Up to six lines. */
      address: PrintedLines.default(''),
      taxId: PartyTaxId.default(''),
      /**
       * The series in which receipts are numbered from 1, without gaps, such as `REC` for
       * `REC-000001`. Another seller needs another series.
       */
      series: z
        .string()
        .regex(/^[A-Z][A-Z0-9]{1,15}$/, 'must be 2 to 16 characters of A-Z and 0-9, a letter first')
        .refine((series) => series !== INVOICES, `must not be ${INVOICES}, the series of invoices`)
        .default(RECEIPTS),
      /** A text below each document, such as one about taxes. Penstock calculates no tax. */
      note: z.string().trim().max(500).regex(PRINTED, PRINTED_FAULT).default(''),
      /**
       * How customers pay an invoice, such as the bank account. Up to six lines, on each open invoice
       * of this seller, also on those that were issued before.
       */
      paymentInstructions: PrintedLines.default(''),
    })
    .optional(),
  /**
   * How customers reach the operator, and where they read the terms and the privacy policy. The
   * dashboard shows what is set to everybody.
   */
  operator: OperatorSetting.prefault({}),
  /** Credit for new users, once for each email address, given when the address is confirmed. */
  welcome: z
    .strictObject({
      /**
       * In USD, as a string or a number in the file; the parsed value is a string, because settings
       * are also written to files. 0 gives no credit. An organization that an operator creates gets
       * the same amount.
       */
      amount: z.coerce.string().pipe(UsdAmount).prefault(formatUsd(WELCOME_TERMS.amount)),
      /**
       * How many users of one network (IPv4 /24, IPv6 /48) get the credit in one day. An operator
       * may give credit to the others.
       */
      perNetworkPerDay: z.int().min(0).max(1_000_000).default(WELCOME_TERMS.perNetworkPerDay),
    })
    .prefault({}),
  /** How long data that grows with every request is kept. Sums and transfers are kept forever. */
  retention: z
    .strictObject({
      /**
       * Days to keep the usage rows of single requests; null keeps them forever. Invoices and caps
       * of the last month need them.
       */
      usageDays: z.int().min(62).max(36_500).nullable().default(null),
    })
    .prefault({}),
  /**
   * Outgoing mail. Without `mail`, emails and the links in them are written to the log, so that the
   * operator can pass them on.
   */
  mail: z
    .strictObject({
      /** `smtps://user:password@host` or `smtp://…`, in the format of nodemailer. */
      smtp: z.url({ protocol: /^smtps?$/ }),
      from: z.string().min(3).max(320),
    })
    .optional(),
  /** Events that are sent to customers' own endpoints. */
  webhooks: z
    .strictObject({
      /**
       * Whether endpoints may have addresses that are not public (private, loopback, link-local), and
       * plain HTTP. Then every customer who can create an endpoint can let this router send requests
       * into its own network, so it is for installations whose customers may do that, and for tests.
       */
      allowPrivateAddresses: z.boolean().default(false),
    })
    .prefault({}),
  logLevel: z.enum(LOG_LEVELS).default('info'),
  /** Which inference requests have a line in the log, at level info, when they end. */
  requestLog: RequestLogSetting.default('all'),
  /** Where the spans of requests are sent (OTLP). Without it no request is traced. */
  tracing: OtlpSetting.extend({
    /** The share of requests that are traced, from 0 to 1, where the client does not decide it. */
    sampleRatio: z.number().min(0).max(1).default(0.01),
  }).optional(),
});

export const RouterConfig = Settings.superRefine(
  ({ processes, advertise, listeners: [first] }, context) => {
    if (processes === 1) return;
    if (advertise !== undefined && URL.parse(advertise)?.search) {
      const query = 'must have no query with more than one process: it gets the id of a process';
      context.addIssue({ code: 'custom', path: ['advertise'], message: query });
    }
    if (advertise !== undefined || isLoopback(first?.host ?? '')) return;
    const message =
      'is needed with more than one process: each agent has a link to each of them, at this URL';
    context.addIssue({ code: 'custom', path: ['advertise'], message });
  },
);
export type RouterConfig = z.infer<typeof RouterConfig>;

/** How many processes this router is. */
export function processCount({ processes }: Pick<RouterConfig, 'processes'>): number {
  return processes === 'auto' ? Math.min(availableParallelism(), PROCESSES_MAX) : processes;
}

/** Returns the configuration with these ports, instead of those of the first listeners. */
export function withPorts(config: RouterConfig, ports: readonly number[]): RouterConfig {
  const [first, ...others] = config.listeners.map((listener, index) => ({
    ...listener,
    port: ports[index] ?? listener.port,
  }));
  return first ? { ...config, listeners: [first, ...others] } : config;
}

/** The host names under which this router may be requested, besides localhost and IP addresses. */
export function hostNamesOf({ control, listeners, advertise }: RouterConfig): string[] {
  const { url, baseUrls, allowedHosts } = control;
  const urls = [url, advertise, ...Object.values(baseUrls)].filter((one) => one !== undefined);
  const names = urls.map((one) => new URL(one).hostname);
  return [...allowedHosts, ...names, ...listeners.map(({ host }) => host.toLowerCase())];
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

/**
 * Reads a YAML file without checking its settings. Throws ConfigError when the file cannot be read,
 * is not YAML, or does not contain an object.
 */
export async function readSettings(file: string): Promise<object> {
  let read: unknown;
  try {
    read = parseYaml(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${file}: ${systemFault(error)}`);
  }
  if (typeof read === 'object' && read !== null) return read;
  throw new ConfigError(`${file}: contains no settings`);
}
