/** Reads the body of a request within limits, checks it, and looks up its model. */
import type { IncomingMessage } from 'node:http';
import type { Thinking } from '../../shared/catalog.ts';
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { PROMPT_ESTIMATE_LEAST } from '../../shared/bounds/prompt-estimate.ts';
import { limits } from '../../shared/limits.ts';
import { isRefusal, Refusal } from '../../shared/refusals.ts';
import type { LiveCatalog, ServedModel } from '../catalog/live.ts';
import type { RequestedFeatures } from '../catalog/requested-features.ts';
import {
  answerTokensMax,
  checkAsked,
  checkLogprobs,
  turnsThinkingOff,
  unknownModel,
} from '../catalog/rules.ts';
import type { PromptQuery } from '../routing/forecasts.ts';
import { type Api, type Endpoint, ENDPOINTS, fieldName } from './api.ts';
import type { Caller } from './authenticate.ts';
import type { Entry } from './entrance.ts';
import { bodiesFull } from './limited.ts';
import { type BodyReaders, BodyRefusal } from './reading/body-readers.ts';
import { readBody } from './reading/body.ts';
import { refuseModel } from './model-access.ts';
import type { Discards } from './reading/drain.ts';
import { lengthOf } from './reading/join.ts';
import type { Facts } from './reading/read.ts';
import type { ResponseSettings } from './reading/translate/chat-draft.ts';
import type { UploadTurns } from './reading/upload-turns.ts';
import { HEADER as IDEMPOTENCY_KEY } from './repeats/claim.ts';

/** A request that passed the checks, with all that the later stages need. */
export type ParsedRequest = Readonly<{
  /** The API of the client, and what the agent is asked for. */
  api: Api;
  endpoint: Endpoint;
  model: ServedModel;
  streamed: boolean;
  includeUsage: boolean;
  /** Whether the usage tells its cost. */
  includeCost: boolean;
  /** Whether the answer may lack text that the model has generated: its reasoning. */
  reasoningWithheld: boolean;
  /** Parameters that are ignored although they would change the answer. */
  ignored: readonly string[];
  /** The limit of completion tokens that the request sets. Null when it sets none. */
  maxTokens: number | null;
  /** The most completion tokens that the answer may have: also for a request that sets no limit. */
  answerTokensMax: number;
  /**
   * How many alternatives to each token are requested (`top_logprobs`). Null when no log
   * probabilities are requested.
   */
  topLogprobs: number | null;
  /** How many images the prompt has. */
  images: number;
  /** What the answer needs of the request. */
  settings: ResponseSettings | null;
  /** A keyed digest of the body as received. Null without an Idempotency-Key, and for a stream. */
  bodyDigest: string | null;
  /** The body as received or translated. The agent builds the engine's request from it. */
  raw: Buffer;
  /** The data by which a worker is picked. The prompt's hashes depend on model and organization. */
  promptQuery: PromptQuery;
  /** Estimated tokens of the prompt, until the engine has counted it. */
  promptTokensEstimate: number;
  /** The most prompt tokens that an engine may report. */
  promptTokensMax: number;
}>;

export type ArriveParts = Readonly<{
  catalog: LiveCatalog;
  clock: Clock;
  readers: BodyReaders;
  uploads: UploadTurns<OrganizationId>;
  discards: Discards;
  /** Aborted once the router takes no new requests. */
  stopping: AbortSignal;
}>;

export async function arrive(
  { catalog, clock, readers, stopping, uploads, discards }: ArriveParts,
  request: IncomingMessage,
  api: Api,
  from: Readonly<{
    caller: Pick<Caller, 'organization' | 'salt' | 'models'>;
    entry: Entry;
    isRepeatable: boolean;
    /** Is told the model as the client wrote it, also of a request that is refused then. */
    known: { requestedModel: string | null };
  }>,
): Promise<ParsedRequest | Refusal> {
  const { caller, entry, isRepeatable, known } = from;
  const { organization, salt, models } = caller;
  const blocks = await readBody(request, {
    clock,
    lease: entry.lease,
    stopping,
    organization,
    uploads,
    discards,
  });
  if (isRefusal(blocks)) return blocks;
  const isWanted = () => !request.socket.destroyed;
  const received = lengthOf(blocks);
  const read = await readers.read(
    { blocks, api, salt, wantsDigest: isRepeatable },
    { organization, isWanted },
  );
  entry.bodyRead();
  if (isRefusal(read)) {
    if (read instanceof BodyRefusal) known.requestedModel = read.model;
    return read;
  }
  const { raw, facts } = read;
  // A translated body may be longer than the one received.
  if (raw.length > received && !entry.lease.take(raw.length - received)) {
    return bodiesFull(entry.lease.exceeded);
  }
  known.requestedModel = facts.asked.model;
  const model = catalog.get(facts.asked.model);
  if (!model) return unknownModel(facts.asked.model);
  const refusal =
    refuseModel(models, model.entry.id) ??
    checkAsked(model.entry, facts.asked) ??
    checkLogprobs(model.entry, facts.asked, facts.streamed);
  if (refusal) return inWordsOf(api, refusal);
  const tokens = tokensOf(raw.length, facts);
  return {
    api,
    endpoint: ENDPOINTS[api],
    model,
    raw,
    settings: facts.settings,
    bodyDigest: facts.bodyDigest,
    streamed: facts.streamed,
    includeUsage: facts.includeUsage,
    includeCost: facts.includeCost,
    reasoningWithheld: withholdsReasoning(facts.asked, model.entry.thinking),
    ignored: isRepeatable && facts.streamed ? [...facts.ignored, IDEMPOTENCY_KEY] : facts.ignored,
    maxTokens: facts.asked.maxTokens,
    answerTokensMax: answerTokensMax(model.entry, facts.asked, facts.streamed),
    topLogprobs: facts.asked.topLogprobs,
    images: facts.asked.images.count,
    promptQuery: {
      model: model.entry.id,
      prompt: facts.prompt,
      promptTokens: tokens.promptTokensEstimate,
    },
    ...tokens,
  };
}

/** A model whose thinking can be turned off writes none when a request declines it. */
function withholdsReasoning(asked: RequestedFeatures, thinking: Thinking | null): boolean {
  if (asked.hiddenReasoning === null || thinking === null) return false;
  return !turnsThinkingOff(asked, thinking);
}

/** The refusal with the name that its field has in the API of the client. */
function inWordsOf(api: Api, refusal: Refusal): Refusal {
  const { code, message, param } = refusal;
  const name = param === null ? null : fieldName(api, param);
  return name === param ? refusal : new Refusal(code, { message, param: name });
}

/** Bytes are an upper bound of tokens: no tokenizer makes more tokens than the text has bytes. */
function tokensOf(bytes: number, { turns, asked: { images } }: Facts) {
  const textBytes = bytes - images.bytes;
  return {
    promptTokensEstimate:
      Math.ceil(textBytes / 3) +
      turns * 8 +
      PROMPT_ESTIMATE_LEAST +
      images.count * limits.imageTokensEstimate,
    promptTokensMax:
      textBytes +
      limits.templateTokensMax +
      turns * limits.templateTokensPerPartMax +
      images.count * limits.imageTokensMax,
  };
}
