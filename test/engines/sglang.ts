/** SGLang on a CPU, without the kernels of its own, which its package on PyPI has for GPUs alone. */
import { join } from 'node:path';
import { beside, installBeside, type Packages, program } from './cache.ts';
import { type EngineRow, type Limit, SERVED } from './engine-row.ts';

/** Without dependencies: vLLM's environment has all others that it uses on a CPU. */
const SGLANG = ['sglang==0.5.23', 'orjson==3.13.0', 'openai-harmony==0.0.4'];

/** As docs/engines.md says, with the parsers of the model's tools and thoughts. */
const FLAGS =
  '--host 127.0.0.1 --device cpu --dtype float32 --attention-backend torch_native ' +
  '--context-length 8192 --max-total-tokens 8192 --enable-metrics --enable-cache-report ' +
  '--tool-call-parser qwen --reasoning-parser qwen3';

const LIMITS: readonly Limit[] = [
  {
    check: 'letters that come in pieces arrive whole',
    why: 'writes U+FFFD for a letter that the end of the answer cuts',
    fails: /not to contain '\\ufffd'/,
  },
];

/** `packages`: an environment that has the PyTorch and the transformers of vLLM. */
export function sglang(packages: Packages): EngineRow {
  return {
    ...packages,
    name: 'sglang',
    onlyAsked: true,
    command: (model, port) => [
      program(packages, 'python'),
      join(import.meta.dirname, 'serve_sglang.py'),
      '--model-path',
      model.folder,
      ...FLAGS.split(' '),
      '--served-model-name',
      SERVED,
      '--port',
      `${port}`,
    ],
    env: {
      HF_HUB_OFFLINE: '1',
      OMP_NUM_THREADS: '1',
      PYTHONPATH: beside(packages, SGLANG),
      SGLANG_USE_CPU_ENGINE: '1',
    },
    prepare: () => installBeside(packages, SGLANG),
    title: /^sglang 0\.5\.23$/,
    notes: [],
    limits: LIMITS,
    promptCounters: ['sglang:prompt_tokens_total'],
    generatedCounter: 'sglang:generation_tokens_total',
    runningGauge: 'sglang:num_running_reqs',
    salted: true,
  };
}
