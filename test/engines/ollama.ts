/**
 * Ollama, built from its Go module. It serves models of a folder of its own, into which it takes
 * the model of the tests.
 */
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { install, type Model, program, run } from './cache.ts';
import { EngineProcess } from './engine-process.ts';
import { type EngineRow, type Limit, SERVED } from './engine-row.ts';
import { downloadGo, type GoProgram, goProgram } from './go-program.ts';

const CONTEXT_TOKENS = 8_192;

/**
 * The headers that it includes are in a folder named `vendor`, which a module of Go is published
 * without. These packages have them as well.
 */
const JSON_HEADERS = { packages: ['nlohmann-json==3.12.0'], python: 'python3' };
const MEDIA_HEADERS = 'github.com/gen2brain/raylib-go/raylib@v0.55.1';

const OLLAMA: GoProgram = {
  module: 'github.com/ollama/ollama@v0.17.4',
  goPackage: '.',
  async headers(folder) {
    await install(JSON_HEADERS);
    const find = 'import nlohmann_json; print(*nlohmann_json.__path__)';
    const json = (await run(program(JSON_HEADERS, 'python'), ['-c', find])).trim();
    await symlink(join(json, 'include', 'nlohmann'), join(folder, 'nlohmann'));
    const media = join(await downloadGo(MEDIA_HEADERS, folder), 'external');
    for (const name of ['stb', 'miniaudio']) await symlink(media, join(folder, name));
  },
};

const LIMITS: readonly Limit[] = [
  {
    check: 'log probabilities are those of the text',
    why: 'the agent does not ask it for them',
    fails: /expected 503 to be 200/,
  },
  {
    check: 'a text completion goes beyond 16 tokens',
    why: 'makes a chat of the prompt, and drops the thoughts',
    fails: /expected \d+ to be greater than or equal to 40/,
  },
  {
    check: 'calls a tool, and takes the result',
    why: 'ignores tool_choice',
    fails: /expected 'stop' to be 'tool_calls'/,
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
    why: 'cuts it without saying so',
    fails: /\[ 200, undefined \] to deeply equal \[ 400/,
  },
  {
    check: 'its gauges are those of the load',
    why: 'has no metrics, so the load is what the agent sent',
    fails: /expected 0 to be greater than 0/,
  },
  {
    check: 'no count was doubted, and every charge adds up',
    why: 'counts the thoughts that it drops, which raises completion_inflated',
    fails: /expected \[ \{ …\(3\) \} \] to deeply equal \[\]/,
  },
];

export const OLLAMA_ROW: EngineRow = {
  ...OLLAMA,
  name: 'ollama',
  onlyAsked: true,
  command: (model, port) => ['env', ...settings(model, port), ollama(), 'serve'],
  prepare: takeModel,
  healthPath: '/api/version',
  title: /^ollama \d/,
  notes: [
    'cached tokens are not reported',
    'no running usage',
    'prefix caches are shared',
    'it truncates a prompt',
  ],
  limits: LIMITS,
  promptCounters: [],
  generatedCounter: null,
  runningGauge: null,
  salted: false,
};

function ollama(): string {
  return goProgram(OLLAMA, 'ollama');
}

function home({ folder }: Model): string {
  return join(folder, 'ollama');
}

function settings(model: Model, port: number): readonly string[] {
  return [
    `HOME=${home(model)}`,
    `OLLAMA_MODELS=${join(home(model), 'models')}`,
    `OLLAMA_HOST=127.0.0.1:${port}`,
    `OLLAMA_CONTEXT_LENGTH=${CONTEXT_TOKENS}`,
    'OLLAMA_NUM_PARALLEL=4',
    'OLLAMA_NO_CLOUD=1',
  ];
}

/** Has Ollama take the model, with a template in its own language. */
async function takeModel(model: Model): Promise<void> {
  await rm(home(model), { recursive: true, force: true });
  await mkdir(home(model));
  const recipe = join(home(model), 'Modelfile');
  const template = await readFile(join(import.meta.dirname, 'model', 'chat.gotmpl'), 'utf8');
  // Its own penalty would end what never ends, and its own threads wait for each other.
  const parameters = 'PARAMETER repeat_penalty 1\nPARAMETER num_thread 1\n';
  await writeFile(recipe, `FROM ${model.gguf}\nTEMPLATE """${template}"""\n${parameters}`);
  await using server = await EngineProcess.start(OLLAMA_ROW);
  await run('env', [
    ...settings(model, Number(new URL(server.url).port)),
    ollama(),
    'create',
    SERVED,
    '-f',
    recipe,
  ]);
}
