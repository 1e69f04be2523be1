/**
 * llm-d's simulator of vLLM. It has no model: its texts come from a data set, in which we put what
 * the model of the tests would write.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Model } from './cache.ts';
import { type EngineRow, type Limit, SERVED } from './engine-row.ts';
import { goProgram } from './go-program.ts';

const SIMULATOR = {
  module: 'github.com/llm-d/llm-d-inference-sim@v0.10.2',
  goPackage: './cmd/llm-d-inference-sim',
};

const CONTEXT_TOKENS = 8_192;
/** Between two words, of which the second one begins with its space. */
const WORDS = /(?= )/;
const FLAGS =
  '--mode random --force-dummy-tokenizer --enable-kvcache --max-num-seqs 4 ' +
  '--time-to-first-token 5ms --inter-token-latency 2ms';

/** It has no model, and calls tools and ends answers by chance or by their length. */
const LIMITS: readonly Limit[] = [
  {
    check: 'a chat ends by itself, streamed and whole',
    why: 'ends by its length only',
    fails: /match object/,
  },
  {
    check: 'ends at a stop sequence and at a length',
    why: 'ignores stop sequences',
    fails: /expected 'length' to be 'stop'/,
  },
  {
    check: 'log probabilities are those of the text',
    why: 'is not asked for them',
    fails: /expected \d+ to be 200/,
  },
  {
    check: 'calls a tool, and takes the result',
    why: 'calls, but does not read results',
    fails: /expected '(?:tool_calls|length)' to be 'stop'/,
  },
  {
    check: 'writes JSON in JSON mode',
    why: 'ignores response_format',
    fails: /expected 'length' to be 'stop'/,
  },
  {
    check: 'tells reasoning and answer apart, and does not think when told not to',
    why: 'does not think',
    fails: /to receive a string, but got undefined/,
  },
  {
    check: 'who leaves stops the engine',
    why: 'does not notice',
    fails: /expected true to be false/,
  },
  {
    check: 'a prompt beyond its context is a 400',
    why: 'takes it, as a word is a token',
    fails: /\[ 200, undefined \] to deeply equal \[ 400/,
  },
];

export const LLM_D: EngineRow = {
  ...SIMULATOR,
  name: 'llm-d-inference-sim',
  onlyAsked: true,
  command: (model, port) => [
    goProgram(SIMULATOR, 'llm-d-inference-sim'),
    ...FLAGS.split(' '),
    '--max-model-len',
    `${CONTEXT_TOKENS}`,
    '--dataset-path',
    dataset(model),
    '--model',
    SERVED,
    '--port',
    `${port}`,
  ],
  // It publishes the events of its cache under this address.
  env: { POD_IP: '127.0.0.1' },
  prepare: async (model) => writeDataset(dataset(model)),
  title: /^vllm-like$/,
  limits: LIMITS,
  notes: ['no running usage', 'prefix caches are shared', 'reasoning is part of the text'],
  promptCounters: ['vllm:prompt_tokens_total'],
  generatedCounter: 'vllm:generation_tokens_total',
  runningGauge: 'vllm:num_requests_running',
  salted: false,
};

function dataset({ folder }: Model): string {
  return join(folder, 'llm-d.sqlite');
}

/**
 * Writes an answer that is longer than the context. Everybody gets as much of it as was asked for,
 * as the simulator takes it for one that fits: its row says that it is one token long.
 */
function writeDataset(path: string): void {
  const words = ['The', ...' gate opens'.split(WORDS)];
  while (words.length <= CONTEXT_TOKENS) words.push(...' and the boat 🚢 floats'.split(WORDS));
  rmSync(path, { force: true });
  using file = new DatabaseSync(path);
  file.exec(
    'CREATE TABLE llmd (id INTEGER PRIMARY KEY, prompt_hash BLOB NOT NULL, gen_tokens JSON NOT NULL, n_gen_tokens INTEGER NOT NULL)',
  );
  const tokens = { Tokens: words.map((_, at) => at), Strings: words };
  file
    .prepare('INSERT INTO llmd (prompt_hash, gen_tokens, n_gen_tokens) VALUES (?, ?, 1)')
    .run(new Uint8Array(1), JSON.stringify(tokens));
}
