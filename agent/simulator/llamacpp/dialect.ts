/** llama.cpp's server (docs/engines.md). */
import { z } from 'zod';
import type { Dialect, Loading, Route, Routes } from '../dialect.ts';
import { completionRoutes } from '../generate.ts';
import type { ServedModel } from '../models.ts';
import { VOCABULARY_TOKENS } from '../text/tokenizer.ts';
import { promptFields } from '../wire/chat-request.ts';
import { event } from '../wire/chunks.ts';
import { ContextError, EngineError, parsed } from '../wire/errors.ts';
import { modelList } from '../wire/model-list.ts';
import { readJson } from '../wire/read.ts';
import { sendPage } from '../wire/send.ts';
import { LlamaChatChunks } from './chat-chunks.ts';
import { LlamaPage } from './metrics.ts';
import { BUILD } from './tail.ts';
import { promptText, textTokens } from './template.ts';
import { LlamaTextChunks } from './text-chunks.ts';
import { llamaUsageEncoder } from './usage-encoder.ts';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  404: 'not_found_error',
  501: 'not_supported_error',
  503: 'unavailable_error',
};

const Text = z.object({ content: z.string(), parse_special: z.boolean().default(true) });
const Chat = z.object(promptFields);

const props: Route = ({ models, options }) => {
  const [first] = models.values();
  return {
    default_generation_settings: { n_ctx: first?.contextTokens, params: { n_predict: -1 } },
    total_slots: options.maxRunning,
    model_alias: first?.id,
    model_path: `/models/${first?.root}.gguf`,
    modalities: { vision: first?.images ?? false, audio: false },
    chat_template: '{{ messages }}',
    build_info: BUILD,
  };
};

/** Returns one entry for each slot. The number of a slot does not identify its request. */
const slots: Route = ({ models, options, engine }) => {
  const [first] = models.values();
  const running = engine.scheduler.running.size;
  return Array.from({ length: options.maxRunning }, (_, id) => ({
    id,
    n_ctx: first?.contextTokens,
    speculative: false,
    is_processing: id < running,
  }));
};

const tokenize: Route = async (_parts, request) => {
  const { content, parse_special: special } = parsed(Text, await readJson(request));
  return { tokens: [...textTokens(content, special)] };
};

const applyTemplate: Route = async ({ models }, request) => {
  const [first] = models.values();
  return { prompt: promptText(parsed(Chat, await readJson(request)), first as ServedModel) };
};

const healthy: Route = () => ({ status: 'ok' });

const routes: Routes = {
  ...completionRoutes,
  'POST /tokenize': tokenize,
  'POST /apply-template': applyTemplate,
  'GET /v1/models': modelList('llamacpp', ({ contextTokens }) => ({
    meta: { n_vocab: VOCABULARY_TOKENS, n_ctx: contextTokens, n_ctx_train: contextTokens },
  })),
  'GET /health': healthy,
  'GET /v1/health': healthy,
  'GET /props': props,
  'GET /slots': slots,
  'GET /metrics': ({ page, options }, _request, response) => {
    if (options.metrics) return sendPage(response, page);
    throw new EngineError(
      501,
      'NotImplementedError',
      'This server does not support metrics endpoint. Start it with `--metrics`',
    );
  },
};

/** llama.cpp listens from the start, and answers 503 to everything until its model is loaded. */
const loading: Loading = {
  listensFrom: 0,
  lines(share, { model }) {
    if (share === 0) return ['main: loading model', `srv    load_model: loading model '${model}'`];
    if (share < 1) return [`load_tensors: ${'.'.repeat(Math.round(share * 100))}`];
    return ['main: model loaded', 'srv  update_slots: all slots are idle'];
  },
};

export const llamacpp: Dialect = {
  name: 'llamacpp',
  rules: {
    // llama.cpp has no salt, so all requests share one cache.
    saltOf: () => null,
    strict: false,
    clampsLength: true,
    textTokensDefault: null,
  },
  knowsModels: false,
  cutsWhenFull: true,
  routes,
  loading,
  errorBody,
  // llama.cpp sends no [DONE] after an error.
  errorEvents: (error) => event(errorBody(error)),
  replyId: (_endpoint, { hex }) => `chatcmpl-${hex()}`,
  chunks: (endpoint, head, _job, hex) =>
    endpoint === 'text' ? new LlamaTextChunks(head) : new LlamaChatChunks(head, hex),
  usageEncoder: llamaUsageEncoder,
  pingSeconds: 30,
  page: (scheduler, models) => new LlamaPage(scheduler, [...models.keys()]),
};

function errorBody(error: EngineError): string {
  const { status: code, message } = error;
  const isContext = error instanceof ContextError;
  const type = isContext ? 'exceed_context_size_error' : (TYPES[code] ?? 'server_error');
  const sizes = isContext && { n_prompt_tokens: error.promptTokens, n_ctx: error.contextTokens };
  return JSON.stringify({ error: { code, message, type, ...sizes } });
}
