/** vLLM, about 0.25 (docs/engines.md). */
import type { Dialect, Routes } from '../dialect.ts';
import { completionRoutes } from '../generate.ts';
import { DONE, event } from '../wire/chunks.ts';
import { badRequest, type EngineError, notFound } from '../wire/errors.ts';
import { loadingShards } from '../wire/loading.ts';
import { modelList } from '../wire/model-list.ts';
import { readJson } from '../wire/read.ts';
import { sendEmpty, sendPage } from '../wire/send.ts';
import { ChatChunks } from './chat-chunks.ts';
import { VllmPage } from './metrics.ts';
import { TextChunks } from './text-chunks.ts';
import { tokenize } from './tokenize.ts';
import { vllmUsageEncoder } from './usage-encoder.ts';

/** The version of vLLM whose protocol is simulated. */
const VERSION = '0.25.0+penstock.sim';
const SALT_CHARS_MAX = 128;

const routes: Routes = {
  ...completionRoutes,
  'POST /tokenize': async ({ models }, request) => tokenize(models, await readJson(request)),
  'GET /v1/models': modelList('vllm', ({ root, contextTokens }) => ({
    root,
    parent: null,
    max_model_len: contextTokens,
    permission: [],
  })),
  // As in vLLM's development mode. Nothing is cleared while any request runs.
  'POST /reset_prefix_cache': ({ engine }, _request, response) => {
    engine.scheduler.pool.clear();
    sendEmpty(response, 200);
  },
  'GET /health': (_parts, _request, response) => sendEmpty(response, 200),
  'GET /version': ({ options }) => {
    if (options.vllmLike) throw notFound('Not Found');
    return { version: VERSION };
  },
  'GET /metrics': ({ page }, _request, response) => sendPage(response, page),
};

export const vllm: Dialect = {
  name: 'vllm',
  rules: {
    saltOf({ cache_salt: salt }) {
      if (salt == null) return null;
      const isGood = salt !== '' && salt.length <= SALT_CHARS_MAX && !/[@/\\\0]/.test(salt);
      if (isGood) return salt;
      throw badRequest(
        `cache_salt: 1 to ${SALT_CHARS_MAX} characters, none of them @ / \\ NUL`,
        'cache_salt',
      );
    },
    strict: true,
    clampsLength: false,
    textTokensDefault: 16,
  },
  knowsModels: true,
  cutsWhenFull: false,
  routes,
  loading: loadingShards,
  errorBody,
  errorEvents: (error) => event(errorBody(error)) + DONE,
  replyId: (endpoint, { header, hex }) =>
    `${endpoint === 'chat' ? 'chatcmpl' : 'cmpl'}-${header ?? hex()}`,
  chunks: (endpoint, head, job, hex) =>
    endpoint === 'text'
      ? new TextChunks(head, job)
      : new ChatChunks(head, job, () => `chatcmpl-tool-${hex()}`),
  usageEncoder: vllmUsageEncoder,
  pingSeconds: null,
  page: (scheduler, models) => new VllmPage(scheduler, [...models.keys()]),
};

function errorBody({ message, type, param, status: code }: EngineError): string {
  return JSON.stringify({ error: { message, type, param, code } });
}
