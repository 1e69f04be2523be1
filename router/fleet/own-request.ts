/**
 * A request of the router's own to one worker, over the same link, agent and engine as any request.
 * It belongs to no customer, so nobody is charged and no usage row is written.
 */
import type { Clock } from '../../shared/clock.ts';
import type { End } from '../../shared/wire/end.ts';
import type { Stream } from './stream.ts';
import type { Worker } from './worker.ts';

const ANSWER_BYTES_MAX = 64 * 1024;

export type OwnRequest = Readonly<{
  id: string;
  completionId: string;
  model: string;
  body: Buffer;
  /** An estimate of the prompt's tokens. */
  promptTokens: number;
  maxTokens: number;
  salt: string;
  answerMsMax: number;
}>;

/** `refused`: the agent did not take the request. `lost`: the link closed or could not be
 * used, or time was up. */
export type OwnAnswer =
  | Readonly<{ promptTokens: number; completionTokens: number; end: End }>
  | 'refused'
  | 'lost';

/** The body of a chat request with a single message. */
export function chatBody(model: string, content: string, maxTokens: number): Buffer {
  const messages = [{ role: 'user', content }];
  return Buffer.from(JSON.stringify({ model, messages, max_tokens: maxTokens, stream: true }));
}

/** Takes a slot of the worker until the request is over, and then calls `done` once. */
export function sendOwnRequest(
  worker: Worker,
  clock: Clock,
  { id, body, promptTokens, answerMsMax, ...request }: OwnRequest,
  done: (answer: OwnAnswer) => void,
): void {
  const open = {
    ...request,
    request: id,
    attempt: 1,
    endpoint: 'chat',
    streamed: true,
    chunks: '',
    promptTokens,
    uncachedTokens: promptTokens,
    grant: { tokens: request.maxTokens, bytes: ANSWER_BYTES_MAX, final: true },
  } as const;
  const over = (answer: OwnAnswer) => {
    late.cancel();
    stream.drop();
    done(answer);
  };
  worker.take();
  let stream: Stream;
  try {
    stream = worker.session.open(worker, open, body, {
      delta() {},
      counts() {},
      ended: (prompt, completion, end) =>
        over({ promptTokens: prompt, completionTokens: completion, end }),
      refused: () => over('refused'),
      lost: () => over('lost'),
    });
  } catch {
    worker.free();
    return done('lost');
  }
  const late = clock.after(answerMsMax, () => over('lost'));
}
