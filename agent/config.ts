/**
 * The agent's configuration, read from one YAML file. A file with any error is rejected as a whole,
 * and the exception names every error. An unknown key is an error.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { HOST_NAME, HOST_NAME_FAULT } from '../shared/host-names.ts';
import { LOG_LEVELS } from '../shared/log.ts';
import { RequestLogSetting } from '../shared/request-log-setting.ts';
import { systemFault } from '../shared/system-fault.ts';
import { OtlpSetting } from '../shared/tracing/setting.ts';
import { linkUrlFault } from '../shared/wire/link-url.ts';
import { parseYaml } from '../shared/yaml.ts';
import { NO_PROXY, proxyUrlFault } from './proxy.ts';

function engineUrlFault(text: string): string | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return 'must be a URL such as http://127.0.0.1:8000';
  }
  if (url.username || url.password) return 'must not contain credentials: use apiKey';
  return null;
}

function checkedUrl(faultOf: (text: string) => string | null) {
  return z.string().superRefine((text, context) => {
    const fault = faultOf(text);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  });
}

const PIN = /^sha256\/\/?[A-Za-z0-9+/]{43}=$/;
const Pin = z.string().regex(PIN, 'must be sha256// and the SHA-256 of a public key in base64');

/**
 * A router to dial. Its certificate is verified against Node's default certificate authorities, or
 * against those of `ca`. With pins, the router's key must also be one of them; with pins and
 * without `ca`, the key is the only check. Peers that this router names are verified in the same
 * way.
 */
const RouterAddress = z.preprocess(
  (router) => (typeof router === 'string' ? { url: router } : router),
  z
    .strictObject({
      url: checkedUrl(linkUrlFault),
      /**
       * Pinned public keys in the format of `curl --pinnedpubkey`. Several are needed when routers
       * have different keys or while a key is replaced.
       */
      pin: z
        .union([Pin, z.array(Pin).nonempty().max(64)])
        .transform((pin) => [pin].flat())
        .optional(),
      /** The path of a PEM file with the certificate authorities. */
      ca: z.string().min(1).optional(),
    })
    .superRefine((router, context) => {
      const isPlain = router.url.startsWith('ws:');
      for (const key of ['pin', 'ca'] as const) {
        if (isPlain && key in router) {
          context.addIssue({
            code: 'custom',
            path: [key],
            message: 'may be set only for a wss:// URL',
          });
        }
      }
    }),
);
export type RouterAddress = Readonly<z.infer<typeof RouterAddress>>;

/** A string that is passed to a process. The operating system does not accept a NUL in it. */
const text = z
  .string()
  .refine((given) => !given.includes('\0'), 'must not contain a NUL character');

const ZeroMqAddress = z
  .string()
  .max(256)
  .regex(
    /^(?:tcp:\/\/[\w.[\]:-]+:\d{1,5}|ipc:\/\/[^\0]+)$/,
    'must be an address such as ipc:///run/penstock/kv-events',
  );

/** Where the engine publishes its KV events, and where it repeats those that were missed. */
const KvEventsConfig = z.strictObject({
  endpoint: ZeroMqAddress,
  replay: ZeroMqAddress.optional(),
});
export type KvEventsConfig = z.infer<typeof KvEventsConfig>;

/** Settings that are allowed only for an engine that the agent starts itself. */
const OF_A_COMMAND = ['env', 'cwd', 'output', 'loadMinutesMax'] as const;

const EngineConfig = z
  .strictObject({
    /** The name under which the routers know this worker. */
    name: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 characters of A-Z a-z 0-9 . _ -'),
    url: checkedUrl(engineUrlFault),
    apiKey: z.string().min(1).optional(),
    /** The most requests that the engine may have in flight. */
    slots: z.int().min(1).max(65_536).default(1_024),
    /**
     * Maps a catalog id to the name under which the engine serves the model. Only needed where the
     * engine's own list of models does not show the name.
     */
    models: z.record(z.string(), z.string().min(1)).default({}),
    /** The indices of the engine's GPUs, for the load report. Defaults to all GPUs of the host. */
    gpus: z.array(z.int().min(0).max(1_023)).max(64).optional(),
    /** Where vLLM publishes the changes of its prefix cache (--kv-events-config). */
    kvEvents: KvEventsConfig.optional(),
    /** Program and arguments. If given, the agent starts the engine itself and keeps it running. */
    command: z.array(text).nonempty().max(1_024).optional(),
    /** Environment variables of the engine, added to the agent's own environment. */
    env: z
      .record(
        z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable'),
        text,
      )
      .optional(),
    cwd: text.min(1).optional(),
    /** A file to which the engine's output is appended. */
    output: text.min(1).optional(),
    /** The engine is restarted when it does not serve within this many minutes of its start. */
    loadMinutesMax: z.int().min(1).max(1_440).optional(),
  })
  .superRefine((engine, context) => {
    if (engine.command) return;
    for (const key of OF_A_COMMAND) {
      if (engine[key] === undefined) continue;
      context.addIssue({
        code: 'custom',
        path: [key],
        message: 'may be set only together with command',
      });
    }
  });
export type EngineConfig = z.infer<typeof EngineConfig>;

const AgentConfig = z
  .strictObject({
    name: z.string().min(1).max(64),
    /** The folder in which the agent keeps its private key. */
    data: z.string().min(1),
    routers: z.array(RouterAddress).nonempty(),
    join: z.string().min(1).max(200).nullable().default(null),
    /**
     * The egress proxy for routers at wss:// URLs, or `none`. Defaults to that of the environment
     * (HTTPS_PROXY, NO_PROXY). May contain credentials.
     */
    proxy: checkedUrl((proxy) => (proxy === NO_PROXY ? null : proxyUrlFault(proxy))).optional(),
    metrics: z
      .strictObject({
        host: z.string().min(1).default('127.0.0.1'),
        port: z.int().min(0).max(65_535).default(9465),
        /**
         * Host names under which the metrics may be requested, besides localhost and IP addresses.
         */
        allowedHosts: z.array(z.string().regex(HOST_NAME, HOST_NAME_FAULT)).default([]),
      })
      .prefault({}),
    /** The shortest time between two messages with tokens to a router. */
    lingerMs: z.number().min(0).max(20).default(1),
    logLevel: z.enum(LOG_LEVELS).default('info'),
    /** Which requests have a line in the log, at level info, when they end. */
    requestLog: RequestLogSetting.default('all'),
    /**
     * Where the spans of attempts are sent (OTLP), for requests that the router traces. Without it
     * there are none, but the engine still gets the trace context.
     */
    tracing: OtlpSetting.optional(),
    engines: z.array(EngineConfig).nonempty().max(256),
  })
  .superRefine(({ engines, routers }, context) => {
    const twice = (list: readonly string[], path: (index: number) => PropertyKey[]) => {
      for (const [index, value] of list.entries()) {
        if (list.indexOf(value) < index) {
          context.addIssue({ code: 'custom', path: path(index), message: 'is listed twice' });
        }
      }
    };
    twice(
      engines.map((engine) => engine.name),
      (index) => ['engines', index, 'name'],
    );
    twice(
      routers.map(({ url }) => url),
      (index) => ['routers', index],
    );
  });
export type AgentConfig = z.infer<typeof AgentConfig>;

/** Parses configuration text. Throws an Error that names every error in it. */
export function parseAgentConfig(yaml: string): AgentConfig {
  const parsed = AgentConfig.safeParse(parseYaml(yaml));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data;
}

/** Reads a configuration file. Throws an Error that names the file and every error in it. */
export async function readAgentConfig(file: string): Promise<AgentConfig> {
  try {
    return parseAgentConfig(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`agent ${file}: ${systemFault(error)}`, { cause: error });
  }
}
