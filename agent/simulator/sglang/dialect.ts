/** SGLang (docs/engines.md). */
import { z } from 'zod';
import type { Dialect, Route, Routes } from '../dialect.ts';
import { completionRoutes } from '../generate.ts';
import { BLOCK_TOKENS } from '../kv/block-hash.ts';
import type { ServedModel } from '../models.ts';
import { encodeText } from '../text/tokenizer.ts';
import { chatPrompt, promptFields } from '../wire/chat-request.ts';
import { DONE, event } from '../wire/chunks.ts';
import { type EngineError, notFound, parsed } from '../wire/errors.ts';
import { loadingShards } from '../wire/loading.ts';
import { modelList } from '../wire/model-list.ts';
import { readJson } from '../wire/read.ts';
import { sendEmpty, sendPage } from '../wire/send.ts';
import { SglangChatChunks } from './chat-chunks.ts';
import { SglangPage } from './metrics.ts';
import { SglangTextChunks } from './text-chunks.ts';
import { sglangUsageEncoder } from './usage-encoder.ts';

/** The version of SGLang whose protocol is simulated. */
const VERSION = '0.5.9';
const CALL_HEX_DIGITS = 24;

const Abort = z.object({ rid: z.string().default(''), abort_all: z.boolean().default(false) });
const TokenizeText = z.object({ prompt: z.string() });
const TokenizeChat = z.object(promptFields);

const serverInfo: Route = ({ models, engine, options }) => {
  const [first] = models.values();
  const kvTokens = engine.scheduler.pool.capacity * BLOCK_TOKENS;
  return {
    model_path: first?.root,
    tokenizer_path: first?.root,
    served_model_name: first?.id,
    context_length: first?.contextTokens,
    max_running_requests: options.maxRunning,
    enable_cache_report: options.enableCacheReport,
    enable_metrics: options.metrics,
    disable_radix_cache: false,
    reasoning_parser: first?.thinking ? 'auto' : null,
    tool_call_parser: 'auto',
    status: 'ready',
    max_total_num_tokens: kvTokens,
    internal_states: [
      { max_total_num_tokens: kvTokens, effective_max_running_requests_per_dp: options.maxRunning },
    ],
    version: VERSION,
  };
};

const modelInfo: Route = ({ models }) => {
  const [first] = models.values();
  return {
    model_path: first?.root,
    tokenizer_path: first?.root,
    is_generation: true,
    preferred_sampling_params: null,
    weight_version: 'default',
    has_image_understanding: first?.images ?? false,
  };
};

const tokenize: Route = async ({ models }, request) => {
  const body = await readJson(request);
  const [first] = models.values();
  const isText = typeof body === 'object' && body !== null && 'prompt' in body;
  const tokens = isText
    ? encodeText(parsed(TokenizeText, body).prompt)
    : chatPrompt(parsed(TokenizeChat, body), first as ServedModel);
  return { tokens: [...tokens], count: tokens.length, max_model_len: first?.contextTokens };
};

/** Stops a request by its id. An unknown id is not an error. */
const abort: Route = async ({ live }, request, response) => {
  const { rid, abort_all: all } = parsed(Abort, await readJson(request));
  for (const [id, stop] of live) if (all || id === rid) stop();
  sendEmpty(response, 200);
};

const healthy: Route = (_parts, _request, response) => sendEmpty(response, 200);

const routes: Routes = {
  ...completionRoutes,
  'POST /abort_request': abort,
  'POST /tokenize': tokenize,
  'POST /v1/tokenize': tokenize,
  'GET /v1/models': modelList('sglang', ({ id, contextTokens }) => ({
    root: id,
    parent: null,
    max_model_len: contextTokens,
  })),
  'GET /health': healthy,
  'GET /health_generate': healthy,
  'GET /get_model_info': modelInfo,
  'GET /model_info': modelInfo,
  'GET /get_server_info': serverInfo,
  'GET /server_info': serverInfo,
  'GET /metrics': ({ page, options }, _request, response) => {
    if (!options.metrics) throw notFound('Not Found');
    return sendPage(response, page);
  },
};

export const sglang: Dialect = {
  name: 'sglang',
  rules: {
    // Both fields keep the caches of different values apart.
    saltOf: ({ cache_salt: salt, extra_key: key }) =>
      salt == null && key == null ? null : JSON.stringify([salt ?? '', key ?? '']),
    strict: false,
    clampsLength: false,
    textTokensDefault: 16,
  },
  knowsModels: false,
  cutsWhenFull: false,
  routes,
  loading: {
    ...loadingShards,
    lines: (share, about) =>
      share < 1 ? loadingShards.lines(share, about) : ['The server is fired up and ready to roll!'],
  },
  errorBody: (error) => JSON.stringify(flat(error)),
  errorEvents: (error) => event(JSON.stringify({ error: flat(error) })) + DONE,
  replyId: (_endpoint, { requestId, hex }) => requestId ?? hex(),
  chunks: (endpoint, head, _job, hex) =>
    endpoint === 'text'
      ? new SglangTextChunks(head)
      : new SglangChatChunks(head, () => `call_${hex().slice(0, CALL_HEX_DIGITS)}`),
  usageEncoder: sglangUsageEncoder,
  pingSeconds: null,
  page: (scheduler, models) => new SglangPage(scheduler, [...models.keys()]),
};

function flat({ message, type, param, status: code }: EngineError): object {
  return { object: 'error', message, type, param, code };
}
