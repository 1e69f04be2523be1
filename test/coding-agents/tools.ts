/**
 * The coding agents: which package each is, how it is run without a person, which calls of its own
 * tools read and change a file, and where it tells what it used.
 */
import type { Package } from './installed.ts';

/** Tokens of a session. */
export type Used = Readonly<{ prompt: number; cached: number; completion: number }>;

/** A step that the model takes: a call of a tool, or a text. */
export type Step = Readonly<{ call: string; arguments: object } | { say: string }>;

export type Tool = Readonly<{
  package: Package;
  /** Arguments after those of the settings that customers paste. `log` is a file for its own use. */
  flags: (place: Readonly<{ prompt: string; log: string }>) => readonly string[];
  /** Whether the prompt comes on standard input. */
  readsInput?: boolean;
  /** Its settings against telemetry and updates. */
  env?: Readonly<Record<string, string>>;
  /**
   * Steps that read the file, replace "two" in it by "three", and end. Arguments are in the order of
   * the tool's schema, because llama-server lets a model write them in no other.
   */
  steps: (file: string) => readonly Step[];
  /** Reads what was used from its output, or from the log. */
  used: (output: string, log: string) => Used;
}>;

type Json = Readonly<Record<string, unknown>>;

const npm = (name: string, version: string): Package => ({ from: 'npm', name, version });

/** By the names of `router/dashboard/pages/keys/coding-agents.ts`. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  'Claude Code': {
    package: npm('@anthropic-ai/claude-code', '2.1.330'),
    flags: ({ prompt }) => [
      '-p',
      prompt,
      '--permission-mode=acceptEdits',
      '--output-format=stream-json',
      '--verbose',
    ],
    env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    steps: (file) => [
      { call: 'Read', arguments: { file_path: file } },
      // It has most of its tools only when the model has searched them.
      { call: 'ToolSearch', arguments: { query: 'select:NotebookEdit', max_results: 1 } },
      { call: 'Edit', arguments: { file_path: file, old_string: 'two', new_string: 'three' } },
      { say: 'It is done.' },
    ],
    used: (output) => {
      const { modelUsage } = only(output, 'result') as {
        modelUsage: Record<
          string,
          Record<'inputTokens' | 'cacheReadInputTokens' | 'outputTokens', number>
        >;
      };
      return sum(
        Object.values(modelUsage).map((one) => ({
          prompt: one.inputTokens + one.cacheReadInputTokens,
          cached: one.cacheReadInputTokens,
          completion: one.outputTokens,
        })),
      );
    },
  },
  Codex: {
    package: npm('@openai/codex', '0.169.0'),
    // A sandbox in a sandbox does not always work, and this one runs nothing but two commands.
    flags: ({ prompt }) => ['exec', '--json', '--dangerously-bypass-approvals-and-sandbox', prompt],
    steps: (file) => [
      { call: 'exec_command', arguments: { cmd: `cat ${file}` } },
      { call: 'exec_command', arguments: { cmd: `sed -i s/two/three/ ${file}` } },
      { say: 'It is done.' },
    ],
    used: (output) => {
      const { usage } = only(output, 'turn.completed') as { usage: Record<string, number> };
      return {
        prompt: usage['input_tokens'] as number,
        cached: usage['cached_input_tokens'] as number,
        completion: usage['output_tokens'] as number,
      };
    },
  },
  opencode: {
    package: npm('opencode-ai', '1.18.33'),
    // Without a title it asks the model for one, and does not tell what that used.
    flags: () => ['run', '--format', 'json', '--title', 'notes'],
    readsInput: true,
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
    steps: (file) => [
      { call: 'read', arguments: { filePath: file } },
      { call: 'edit', arguments: { filePath: file, oldString: 'two', newString: 'three' } },
      { say: 'It is done.' },
    ],
    used: (output) =>
      sum(
        events(output, 'step_finish').map((event) => {
          const { tokens } = event['part'] as {
            tokens: { input: number; output: number; reasoning: number; cache: { read: number } };
          };
          const { input, output: written, reasoning, cache } = tokens;
          return {
            prompt: input + cache.read,
            cached: cache.read,
            completion: written + reasoning,
          };
        }),
      ),
  },
  'Qwen Code': {
    package: npm('@qwen-code/qwen-code', '0.24.4'),
    flags: ({ prompt }) => ['--yolo', '--output-format', 'stream-json', '-p', prompt],
    steps: (file) => [
      { call: 'read_file', arguments: { file_path: file } },
      { call: 'edit', arguments: { file_path: file, old_string: 'two', new_string: 'three' } },
      { say: 'It is done.' },
    ],
    used: (output) => {
      const { usage } = only(output, 'result') as { usage: Record<string, number> };
      return {
        prompt: usage['input_tokens'] as number,
        cached: usage['cache_read_input_tokens'] as number,
        completion: usage['output_tokens'] as number,
      };
    },
  },
  Cline: {
    package: npm('cline', '3.0.65'),
    flags: ({ prompt }) => ['--json', '--auto-approve', 'true', prompt],
    steps: (file) => [
      { call: 'read_files', arguments: { files: [{ path: file }] } },
      { call: 'editor', arguments: { path: file, new_text: 'three', old_text: 'two' } },
      { say: 'It is done.' },
    ],
    used: (output) => {
      const { aggregateUsage: usage } = only(output, 'run_result') as {
        aggregateUsage: Record<'inputTokens' | 'cacheReadTokens' | 'outputTokens', number>;
      };
      return {
        prompt: usage.inputTokens,
        cached: usage.cacheReadTokens,
        completion: usage.outputTokens,
      };
    },
  },
  aider: {
    package: { from: 'pip', name: 'aider-chat', version: '0.86.2' },
    // In a stream it estimates its tokens, and it does not log those of the messages of commits.
    flags: ({ prompt, log }) => [
      '--message',
      prompt,
      '--yes-always',
      '--no-stream',
      '--no-git',
      '--no-check-update',
      '--analytics-disable',
      '--analytics-log',
      log,
      'notes.txt',
    ],
    // It has no tools: it sends the file, and the model writes what to replace.
    steps: () => [
      { say: 'notes.txt\n```\n<<<<<<< SEARCH\ntwo\n=======\nthree\n>>>>>>> REPLACE\n```\n' },
    ],
    used: (_output, log) => {
      const sent = lines(log).filter(({ event }) => event === 'message_send');
      return sum(
        sent.map(({ properties }) => {
          const { prompt_tokens: prompt, completion_tokens: completion } = properties as Record<
            'prompt_tokens' | 'completion_tokens',
            number
          >;
          // It does not log cached tokens.
          return { prompt, cached: 0, completion };
        }),
      );
    },
  },
};

/** Returns the lines of a text that are JSON. */
function lines(text: string): Json[] {
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Json] : []));
}

function events(output: string, type: string): Json[] {
  return lines(output).filter((event) => event['type'] === type);
}

function only(output: string, type: string): Json {
  const [event, ...more] = events(output, type);
  if (!event || more.length > 0) throw new Error(`not one ${type} in:\n${output}`);
  return event;
}

function sum(all: readonly Used[]): Used {
  const total = { prompt: 0, cached: 0, completion: 0 };
  for (const { prompt, cached, completion } of all) {
    total.prompt += prompt;
    total.cached += cached;
    total.completion += completion;
  }
  return total;
}
