/** Reads the body of a request within limits, checks it, and looks up its model. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { isRefusal, type Refusal } from '../../shared/refusals.ts';
import type { LiveCatalog, ServedModel } from '../catalog/live.ts';
import { checkAsked, unknownModel } from '../catalog/rules.ts';
import type { PromptQuery } from '../routing/forecasts.ts';
import type { Entry } from './entrance.ts';
import type { BodyReaders } from './reading/body-readers.ts';
import { readBody } from './reading/body.ts';
import type { Discards } from './reading/drain.ts';
import type { Endpoint, Facts } from './reading/read.ts';
import type { UploadTurns } from './reading/upload-turns.ts';

export type { Endpoint } from './reading/read.ts';

/** A request that passed the checks, with all that the later stages need. */
export type ParsedRequest = Readonly<{
  endpoint: Endpoint;
  model: ServedModel;
  streamed: boolean;
  includeUsage: boolean;
  /** Whether reasoning is withheld: the client does not want it, but the model may reason. */
  reasoningWithheld: boolean;
  /** Parameters that are ignored although they would change the answer. */
  ignored: readonly string[];
  /** Completion tokens that the request allows. Null means the model's maximum. */
  maxTokens: number | null;
  /** The body as received. The agent builds the engine's request from it. */
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
  endpoint: Endpoint,
  from: Readonly<{ organization: OrganizationId; salt: string; entry: Entry }>,
): Promise<ParsedRequest | Refusal> {
  const { organization, salt, entry } = from;
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
  const read = await readers.read({ blocks, endpoint, salt }, { organization, isWanted });
  entry.bodyRead();
  if (isRefusal(read)) return read;
  const { raw, facts } = read;
  const model = catalog.get(facts.asked.model);
  if (!model) return unknownModel(facts.asked.model);
  const refusal = checkAsked(model.entry, facts.asked);
  if (refusal) return refusal;
  const tokens = tokensOf(raw.length, facts);
  return {
    endpoint,
    model,
    raw,
    streamed: facts.streamed,
    includeUsage: facts.includeUsage,
    // Some models reason even when the request declines it.
    reasoningWithheld: facts.asked.withholdsReasoning && model.entry.thinking !== null,
    ignored: facts.ignored,
    maxTokens: facts.asked.maxTokens,
    promptQuery: {
      model: model.entry.id,
      prompt: facts.prompt,
      promptTokens: tokens.promptTokensEstimate,
    },
    ...tokens,
  };
}

/** Bytes are an upper bound of tokens: no tokenizer makes more tokens than the text has bytes. */
function tokensOf(bytes: number, { turns, asked: { images } }: Facts) {
  const textBytes = bytes - images.bytes;
  return {
    promptTokensEstimate:
      Math.ceil(textBytes / 3) + turns * 8 + 64 + images.count * limits.imageTokensEstimate,
    promptTokensMax:
      textBytes +
      limits.templateTokensMax +
      turns * limits.templateTokensPerPartMax +
      images.count * limits.imageTokensMax,
  };
}
