/** transformers serve, the server of Hugging Face's own library. */
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beside, installBeside, type Model, type Packages, program } from './cache.ts';
import { type EngineRow, type Limit, SERVED } from './engine-row.ts';

/** It loads models by this package, which the environment of vLLM lacks. */
const ACCELERATE = ['accelerate==1.15.0'];

/** It serves only what a cache of the Hub has, which needs some commit or other. */
const COMMIT = '0'.repeat(40);
const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors'];

/** What it ignores, it does not refuse either. */
const LIMITS: readonly Limit[] = [
  {
    check: 'a chat ends by itself, streamed and whole',
    why: 'ends, after line breaks of the thoughts',
    fails: /match object/,
  },
  {
    check: 'ends at a stop sequence and at a length',
    why: 'its text includes the stop sequence',
    fails: /not to contain 'and'/,
  },
  {
    check: 'log probabilities are those of the text',
    why: 'is not asked for them',
    fails: /expected \d+ to be 200/,
  },
  {
    check: 'calls a tool, and takes the result',
    why: 'ignores tool_choice',
    fails: /expected 'stop' to be 'tool_calls'/,
  },
  {
    check: 'writes JSON in JSON mode',
    why: 'ignores response_format',
    fails: /is not valid JSON/,
  },
  {
    check: 'tells reasoning and answer apart, and does not think when told not to',
    why: 'streams the line breaks after the thoughts as part of the answer',
    fails: /expected '\\n\\n' to be ''/,
  },
  {
    check: 'the second answer to a prompt is charged as cached',
    why: 'does not report cached tokens',
    fails: /expected 0 to be greater than/,
  },
  {
    check: 'who leaves stops the engine',
    why: 'stops, but does not report counts before its end: charged 0',
    fails: /expected 0 to be greater than or equal to/,
  },
  {
    check: 'a prompt beyond its context is a 400',
    why: 'takes it, as its context is 32768',
    fails: /\[ 200, undefined \] to deeply equal \[ 400/,
  },
  {
    check: 'its gauges are those of the load',
    why: 'has no metrics, so the load is what the agent sent',
    fails: /expected 0 to be greater than 0/,
  },
];

/** `packages`: an environment that has transformers with a PyTorch for CPUs. */
export function transformersServe(packages: Packages): EngineRow {
  return {
    ...packages,
    name: 'transformers serve',
    onlyAsked: true,
    command: (model, port) => [
      'env',
      `HF_HUB_CACHE=${hub(model)}`,
      `PYTHONPATH=${beside(packages, ACCELERATE)}`,
      program(packages, 'python'),
      '-m',
      'transformers.cli.transformers',
      'serve',
      SERVED,
      '--device',
      'cpu',
      '--host',
      '127.0.0.1',
      '--port',
      `${port}`,
    ],
    env: { HF_HUB_OFFLINE: '1', OMP_NUM_THREADS: '1' },
    async prepare(model) {
      await installBeside(packages, ACCELERATE);
      await writeHub(model);
    },
    title: /^openai$/,
    notes: ['cached tokens are not reported', 'no running usage', 'prefix caches are shared'],
    limits: LIMITS,
    promptCounters: [],
    generatedCounter: null,
    runningGauge: null,
    salted: false,
  };
}

function hub({ folder }: Model): string {
  return join(folder, 'hub');
}

/** Makes the checkpoint a model of the Hub's cache, one that is sampled unless told otherwise. */
async function writeHub(model: Model): Promise<void> {
  const repository = join(hub(model), `models--${SERVED.replace('/', '--')}`);
  const snapshot = join(repository, 'snapshots', COMMIT);
  await rm(hub(model), { recursive: true, force: true });
  await mkdir(join(repository, 'refs'), { recursive: true });
  await mkdir(snapshot, { recursive: true });
  await writeFile(join(repository, 'refs', 'main'), COMMIT);
  for (const file of FILES) await symlink(join(model.folder, file), join(snapshot, file));
  const config = await readFile(join(model.folder, 'config.json'), 'utf8');
  const { eos_token_id, pad_token_id } = JSON.parse(config) as Record<string, number>;
  const generation = JSON.stringify({ do_sample: true, eos_token_id, pad_token_id });
  await writeFile(join(snapshot, 'generation_config.json'), generation);
}
