/**
 * The agent's configuration: one YAML file. A file with any fault is refused whole, with every fault named;
 * an unknown key is a fault.
 */
import { readFile } from 'node:fs/promises';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { HOST_NAME, HOST_NAME_FAULT } from '../shared/host-names.ts';
import { LOG_LEVELS } from '../shared/log.ts';
import { linkUrlFault } from '../shared/wire/link-url.ts';

function engineUrlFault(text: string): string | null {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return 'is a URL like http://127.0.0.1:8000';
  }
  if (url.username || url.password) return 'carries no credentials: use apiKey';
  return null;
}

function checkedUrl(faultOf: (text: string) => string | null) {
  return z.string().superRefine((text, context) => {
    const fault = faultOf(text);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  });
}

const PIN = /^sha256\/\/?[A-Za-z0-9+/]{43}=$/;
const Pin = z.string().regex(PIN, 'is sha256// and the SHA-256 of a public key in base64');

/**
 * A router to dial. Its certificate is checked by the authorities that Node knows, or by those of `ca`; with pins, its
 * key has to be one of them, and without `ca` nothing else is asked of it. The routers that it names are held to the same.
 */
const RouterAddress = z.preprocess(
  (router) => (typeof router === 'string' ? { url: router } : router),
  z
    .strictObject({
      url: checkedUrl(linkUrlFault),
      /** As `curl --pinnedpubkey` has it; several where keys differ or change. */
      pin: z
        .union([Pin, z.array(Pin).nonempty().max(64)])
        .transform((pin) => [pin].flat())
        .optional(),
      /** A file in PEM. */
      ca: z.string().min(1).optional(),
    })
    .superRefine((router, context) => {
      const isPlain = router.url.startsWith('ws:');
      for (const key of ['pin', 'ca'] as const) {
        if (isPlain && key in router) {
          context.addIssue({ code: 'custom', path: [key], message: 'is of use with wss:// alone' });
        }
      }
    }),
);
export type RouterAddress = Readonly<z.infer<typeof RouterAddress>>;

/** What a process is given: the system takes no NUL in it. */
const text = z.string().refine((given) => !given.includes('\0'), 'has a NUL');

/** What only an engine that the agent starts itself can have. */
const OF_A_COMMAND = ['env', 'cwd', 'output', 'loadMinutesMax'] as const;

const EngineConfig = z
  .strictObject({
    /** The worker's name towards the routers. */
    name: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'a name is 1 to 64 of A-Z a-z 0-9 . _ -'),
    url: checkedUrl(engineUrlFault),
    apiKey: z.string().min(1).optional(),
    /** Requests the engine is given at once. */
    slots: z.int().min(1).max(65_536).default(1_024),
    /** Catalog id to the name the engine serves it under, where asking the engine would not tell. */
    models: z.record(z.string(), z.string().min(1)).default({}),
    /** The GPUs it runs on, by number, for the load report; without it all of the host. */
    gpus: z.array(z.int().min(0).max(1_023)).max(64).optional(),
    /** Program and arguments, where the agent is to start the engine itself and keep it running. */
    command: z.array(text).nonempty().max(1_024).optional(),
    /** Added to the agent's own environment. */
    env: z.record(z.string().regex(/^[A-Za-z_]\w*$/, 'is a name of a variable'), text).optional(),
    cwd: text.min(1).optional(),
    /** A file that what the engine prints is added to. */
    output: text.min(1).optional(),
    /** An engine that does not serve after so long is started anew. */
    loadMinutesMax: z.int().min(1).max(1_440).optional(),
  })
  .superRefine((engine, context) => {
    if (engine.command) return;
    for (const key of OF_A_COMMAND) {
      if (engine[key] === undefined) continue;
      context.addIssue({ code: 'custom', path: [key], message: 'means nothing without command' });
    }
  });
export type EngineConfig = z.infer<typeof EngineConfig>;

const AgentConfig = z
  .strictObject({
    name: z.string().min(1).max(64),
    /** The folder that keeps the agent's key. */
    data: z.string().min(1),
    routers: z.array(RouterAddress).nonempty(),
    join: z.string().min(1).max(200).nullable().default(null),
    metrics: z
      .strictObject({
        host: z.string().min(1).default('127.0.0.1'),
        port: z.int().min(0).max(65_535).default(9465),
        /** Names that they are asked for by, besides localhost and addresses. */
        allowedHosts: z.array(z.string().regex(HOST_NAME, HOST_NAME_FAULT)).default([]),
      })
      .prefault({}),
    logLevel: z.enum(LOG_LEVELS).default('info'),
    engines: z.array(EngineConfig).nonempty().max(256),
  })
  .superRefine(({ engines, routers }, context) => {
    const twice = (list: readonly string[], path: (index: number) => PropertyKey[]) => {
      for (const [index, value] of list.entries()) {
        if (list.indexOf(value) < index) {
          context.addIssue({ code: 'custom', path: path(index), message: 'stands twice' });
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

/** Checks configuration text. Throws an Error that names every fault. */
export function parseAgentConfig(yaml: string): AgentConfig {
  const parsed = AgentConfig.safeParse(parseYaml(yaml));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data;
}

/** Reads a configuration file. Throws an Error that names the file and every fault. */
export async function readAgentConfig(file: string): Promise<AgentConfig> {
  try {
    return parseAgentConfig(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`agent ${file}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
