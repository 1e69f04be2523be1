/**
 * Hot path. The records of one answer, as its agent sends them. Each record is checked before it is
 * used; a record that breaks a rule throws a FrameError, which ends the agent's session.
 */
import { limits } from '../../shared/limits.ts';
import {
  CALL_ID_BYTES_MAX,
  CALL_NAME_BYTES_MAX,
  CALLS_MAX,
  DELTA_OVERHEAD_BYTES,
  unpackArguments,
  unpackCall,
} from '../../shared/wire/deltas.ts';
import { End, END_BYTES_MAX } from '../../shared/wire/end.ts';
import { isEscaped } from '../../shared/wire/escaped.ts';
import { FrameError, type Kind, KIND } from '../../shared/wire/frames.ts';
import type { Grant, Open } from '../../shared/wire/messages.ts';
import { IncomingLogprobs } from './incoming-logprobs.ts';
import type { Content, Delta, StreamEvents } from './stream.ts';

type Requested = Pick<Open, 'endpoint' | 'streamed' | 'grant' | 'topLogprobs'>;

export class Incoming {
  readonly #events: StreamEvents;
  readonly #isChat: boolean;
  /** The most bytes of the answer, at the cost of its deltas. Streams are bounded where they are kept. */
  readonly #bytesMax: number;
  /** Null when no log probabilities were requested. */
  readonly #logprobs: IncomingLogprobs | null;
  #grant: Grant;
  #spent = 0;
  #calls = 0;
  #begun = false;
  #completion = 0;
  /** How many records may still report nothing new: one for each grant, when the answer waits. */
  #waits = 1;

  constructor(open: Requested, events: StreamEvents) {
    this.#events = events;
    this.#isChat = open.endpoint === 'chat';
    this.#bytesMax = open.streamed ? Number.POSITIVE_INFINITY : limits.answerBytesMax;
    this.#logprobs = open.topLogprobs === undefined ? null : new IncomingLogprobs(open.topLogprobs);
    this.#grant = open.grant;
  }

  get events(): StreamEvents {
    return this.#events;
  }

  /** Whether any record has arrived. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Completion tokens reported so far, at most as many as were granted. */
  get completion(): number {
    return this.#completion;
  }

  grant(grant: Grant): void {
    // A grant may have fewer tokens than the `open`. Tokens already on their way break no rule.
    this.#grant = { ...grant, tokens: Math.max(this.#grant.tokens, grant.tokens) };
    this.#waits += 1;
  }

  /** Handles any record but the last. */
  take(kind: Kind, prompt: number, completion: number, bytes: Buffer): void {
    if (completion > this.#grant.tokens) throw new FrameError('a stream exceeds its token grant');
    const isFirst = !this.#begun;
    this.#begun = true;
    const has = this.#completion;
    this.#completion = Math.max(has, completion);
    if (kind === KIND.counts) {
      this.#checkCounts(bytes, isFirst || completion > has);
      return this.#events.counts(prompt, completion);
    }
    const cost = bytes.length + DELTA_OVERHEAD_BYTES;
    this.#spent += cost;
    if (this.#spent > this.#grant.bytes) throw new FrameError('a stream exceeds its byte grant');
    if (this.#spent > this.#bytesMax) throw new FrameError('an answer is too large');
    if (kind === KIND.logprobs) {
      const delta = this.#withLogprobs(bytes);
      return this.#events.delta(prompt, completion, delta, cost, delta.text.length);
    }
    this.#events.delta(prompt, completion, this.#read(kind, bytes), cost, bytes.length);
  }

  /** Handles the last record. The caller judges counts beyond the grant. */
  end(completion: number, bytes: Buffer): End {
    if (bytes.length > END_BYTES_MAX) throw new FrameError('an end is too long');
    const end = End.parse(JSON.parse(bytes.toString('utf8')));
    if (end.outcome === 'finished' && end.finish === 'tool_calls' && this.#calls === 0) {
      throw new FrameError('an answer without a tool call finishes with tool_calls');
    }
    this.#completion = Math.max(this.#completion, Math.min(completion, this.#grant.tokens));
    return end;
  }

  /** Bounds the records that report nothing new, because they use up no grant. */
  #checkCounts(bytes: Buffer, isNews: boolean): void {
    if (bytes.length > 0) throw new FrameError('a record of counts has bytes');
    if (isNews) return;
    if (this.#waits === 0) throw new FrameError('a stream repeats its counts');
    this.#waits -= 1;
  }

  #read(kind: Exclude<Kind, typeof KIND.logprobs>, bytes: Buffer): Delta {
    switch (kind) {
      case KIND.content:
        this.#logprobs?.text(bytes.length);
        return { kind: 'content', text: checked(bytes) };
      case KIND.reasoning:
        this.#onlyInChat();
        return { kind: 'reasoning', text: checked(bytes) };
      case KIND.call:
        return this.#call(bytes);
      case KIND.arguments:
        return this.#arguments(bytes);
      case KIND.body:
      case KIND.counts:
      case KIND.end:
        throw new FrameError('a record of a kind that agents do not send');
    }
  }

  #withLogprobs(bytes: Buffer): Content {
    if (this.#logprobs === null) throw new FrameError('log probabilities were not requested');
    const { logprobs, text } = this.#logprobs.read(bytes, this.#grant.tokens);
    // The text of earlier records may be what these tokens belong to.
    return { kind: 'content', text: text.length === 0 ? text : checked(text), logprobs };
  }

  #call(bytes: Buffer): Delta {
    this.#onlyInChat();
    const call = unpackCall(bytes);
    if (call === null || call.index !== this.#calls || call.index >= CALLS_MAX) {
      throw new FrameError('a tool call is out of order');
    }
    this.#calls += 1;
    const { index, id, name } = call;
    if (id.length > CALL_ID_BYTES_MAX || name.length > CALL_NAME_BYTES_MAX) {
      throw new FrameError('the id or the name of a tool call is too long');
    }
    return { kind: 'call', index, id: checked(id), name: checked(name) };
  }

  #arguments(bytes: Buffer): Delta {
    const more = unpackArguments(bytes);
    if (more === null || more.index >= this.#calls) {
      throw new FrameError('arguments of a tool call that has not begun');
    }
    return { kind: 'arguments', index: more.index, text: checked(more.text) };
  }

  #onlyInChat(): void {
    if (!this.#isChat) throw new FrameError('a text completion may contain only text');
  }
}

function checked(text: Buffer): Buffer {
  if (text.length === 0) throw new FrameError('a delta is empty');
  if (!isEscaped(text)) throw new FrameError('the text of a delta is not escaped');
  return text;
}
