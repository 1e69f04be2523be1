/**
 * Settings of coding agents, ready to paste. `docs/inference/coding-agents.md` has the same ones,
 * and `npm run test:agents` runs each agent with them.
 */
import type { Model } from '../../../../shared/api/models.ts';
import { cheapest, inShell, KEY_VARIABLE } from './snippets.ts';

export type AgentModel = Readonly<{ id: string; contextTokens: number; answerTokens: number }>;

export type AgentParts = Readonly<{
  /** With its /v1. */
  baseUrl: string;
  model: AgentModel;
  /** Null when the key is no longer known: the commands then read it from the environment. */
  key: string | null;
}>;

export type AgentSettings = Readonly<{
  /** A file of the agent, if it needs one. */
  file: Readonly<{ path: string; text: string }> | null;
  /** Shell commands. The last one starts the agent. */
  commands: string;
}>;

/** Returns the settings by the name of the agent, in the order in which they are shown. */
export function codingAgents(parts: AgentParts): Readonly<Record<string, AgentSettings>> {
  return {
    'Claude Code': claudeCode(parts),
    Codex: codex(parts),
    opencode: opencode(parts),
    'Qwen Code': qwenCode(parts),
    Cline: cline(parts),
    aider: aider(parts),
  };
}

/** Returns the cheapest model that can call tools. */
export function agentModel(models: readonly Model[]): AgentModel | null {
  const model = cheapest(models.filter((one) => one.supported_features.includes('tools')));
  if (!model) return null;
  const { id, context_length: contextTokens, max_output_length: answerTokens } = model;
  return { id, contextTokens, answerTokens };
}

function claudeCode({ baseUrl, model, key }: AgentParts): AgentSettings {
  const id = inShell(model.id);
  return {
    file: null,
    commands: inOrder(
      ...keyCommand(key),
      `export ANTHROPIC_BASE_URL=${inShell(baseUrl.replace(/\/v1$/, ''))}`,
      `export ANTHROPIC_AUTH_TOKEN="$${KEY_VARIABLE}"`,
      `export ANTHROPIC_MODEL=${id} ANTHROPIC_DEFAULT_HAIKU_MODEL=${id}`,
      `export CLAUDE_CODE_MAX_CONTEXT_TOKENS=${model.contextTokens}`,
      'claude',
    ),
  };
}

function codex({ baseUrl, model, key }: AgentParts): AgentSettings {
  return {
    file: {
      path: '~/.codex/config.toml',
      text: inOrder(
        `model = ${JSON.stringify(model.id)}`,
        'model_provider = "penstock"',
        `model_context_window = ${model.contextTokens}`,
        'web_search = "disabled"',
        '',
        '[model_providers.penstock]',
        'name = "Penstock"',
        `base_url = ${JSON.stringify(baseUrl)}`,
        `env_key = "${KEY_VARIABLE}"`,
        'wire_api = "responses"',
      ),
    },
    commands: inOrder(...keyCommand(key), 'codex'),
  };
}

function opencode({ baseUrl, model, key }: AgentParts): AgentSettings {
  const settings = {
    $schema: 'https://opencode.ai/config.json',
    model: `penstock/${model.id}`,
    provider: {
      penstock: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Penstock',
        options: { baseURL: baseUrl, apiKey: `{env:${KEY_VARIABLE}}` },
        models: {
          [model.id]: { limit: { context: model.contextTokens, output: model.answerTokens } },
        },
      },
    },
  };
  return {
    file: { path: '~/.config/opencode/opencode.json', text: JSON.stringify(settings, null, 2) },
    commands: inOrder(...keyCommand(key), 'opencode'),
  };
}

function qwenCode({ baseUrl, model, key }: AgentParts): AgentSettings {
  return {
    file: null,
    commands: inOrder(
      ...keyCommand(key),
      `export OPENAI_BASE_URL=${inShell(baseUrl)} OPENAI_API_KEY="$${KEY_VARIABLE}"`,
      `export OPENAI_MODEL=${inShell(model.id)}`,
      'qwen --auth-type openai',
    ),
  };
}

function cline({ baseUrl, model, key }: AgentParts): AgentSettings {
  return {
    file: null,
    commands: inOrder(
      ...keyCommand(key),
      `cline auth openai-compatible --baseurl ${inShell(baseUrl)} \\`,
      `  --modelid ${inShell(model.id)} --apikey "$${KEY_VARIABLE}"`,
      'cline',
    ),
  };
}

function aider({ baseUrl, model, key }: AgentParts): AgentSettings {
  return {
    file: null,
    commands: inOrder(
      ...keyCommand(key),
      `export OPENAI_API_BASE=${inShell(baseUrl)} OPENAI_API_KEY="$${KEY_VARIABLE}"`,
      `aider --model ${inShell(`openai/${model.id}`)} --edit-format diff --no-show-model-warnings`,
    ),
  };
}

/** No comment follows the command: an interactive zsh would run it. */
function keyCommand(key: string | null): string[] {
  return key === null ? [] : [`export ${KEY_VARIABLE}=${inShell(key)}`];
}

function inOrder(...lines: readonly string[]): string {
  return lines.join('\n');
}
