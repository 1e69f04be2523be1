/**
 * A streamed answer, in the engines' order: the role with the first token, deltas, the finish
 * chunk, the usage, [DONE]. While a client does not read, the tokens are joined into a larger
 * chunk, so that the number of chunks does not grow.
 */
import type { Reply } from '../answer/completion.ts';
import type { TokenKind } from '../answer/script.ts';
import { endStream, fatalFault, writeNoisily } from '../faults/misbehave.ts';
import { DONE, type Ending } from './chunks.ts';
import type { EngineError } from './errors.ts';
import type { EventStream } from './event-stream.ts';
import { encodeUsage, type ReplyParts } from './reply.ts';

interface Delta {
  readonly kind: TokenKind;
  text: string;
}

export class EventReply implements Reply {
  readonly #parts: ReplyParts;
  readonly #out: EventStream;
  readonly #interval: number;
  readonly #pending: Delta[] = [];
  #opened = false;
  #ended = false;
  #tokensSinceChunk = 0;
  #tokensSent = 0;

  constructor(parts: ReplyParts, out: EventStream, interval: number) {
    this.#parts = parts;
    this.#out = out;
    this.#interval = interval;
  }

  token(kind: TokenKind, text: string): void {
    this.#tokensSinceChunk++;
    const { counts, sabotage } = this.#parts;
    // With `content_on_finish` the output stays one token behind, because the finish chunk can only
    // carry a text that has not been sent yet.
    const behind = sabotage.due('content_on_finish', counts.completion) !== undefined;
    if (behind) this.flush();
    this.#add(kind, text);
    if (!behind) this.flush();
  }

  finish(kind: TokenKind, text: string, ending: Ending): void {
    this.#add(kind, text);
    const { job, chunks, counts, sabotage } = this.#parts;
    if (this.#dies()) return;
    const running = encodeUsage(this.#parts, 'running');
    let events = this.#opening();
    const last = this.#pending.pop();
    events += this.#deltas(running);
    if (!sabotage.due('no_finish', counts.completion)) {
      const usage = encodeUsage(this.#parts, 'ending');
      events += chunks.finish(last?.kind ?? 'silent', last?.text ?? '', ending, usage);
    } else if (last) events += chunks.delta(last.kind, last.text, running);
    if (job.sampling.includeUsage && !sabotage.due('no_usage', counts.completion)) {
      events += chunks.usage(encodeUsage(this.#parts, 'last'));
    }
    this.#ended = true;
    this.#write(events);
    this.#out.end(DONE);
  }

  fail(error: EngineError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#out.end(this.#parts.dialect.errorEvents(error));
  }

  /** Sends the pending text, if the client can take it and it is enough for a chunk. */
  flush(): void {
    if (this.#ended || !this.#out.ready || this.#dies()) return;
    if (this.#opened && this.#tokensSinceChunk < this.#interval) return;
    const events = this.#opening() + this.#deltas(encodeUsage(this.#parts, 'running'));
    this.#tokensSinceChunk = 0;
    this.#tokensSent = this.#parts.counts.completion;
    this.#write(events);
    this.#dies();
  }

  #write(events: string): void {
    const { chunks, counts, sabotage } = this.#parts;
    if (!sabotage.faults) return this.#out.write(events);
    writeNoisily(sabotage, counts.completion, events, { out: this.#out, chunks });
  }

  #add(kind: TokenKind, text: string): void {
    if (kind === 'silent' || (kind === 'reasoning' && this.#parts.job.hideReasoning)) return;
    const last = this.#pending.at(-1);
    if (last?.kind === kind && kind !== 'tool_name') last.text += text;
    else this.#pending.push({ kind, text });
  }

  /** Returns the chunk with the role. It comes with the first token, but does not count it. */
  #opening(): string {
    if (this.#opened) return '';
    this.#opened = true;
    const none = { ...this.#parts.counts, completion: 0, reasoning: 0 };
    return this.#parts.chunks.opening(encodeUsage(this.#parts, 'running', none));
  }

  #deltas(usage: string): string {
    let events = '';
    for (const { kind, text } of this.#pending) {
      events += this.#parts.chunks.delta(kind, text, usage);
    }
    this.#pending.length = 0;
    return events;
  }

  /** Ends the stream if a fatal fault is due after what was sent. */
  #dies(): boolean {
    if (this.#ended) return true;
    const { sabotage, die, abandon, dialect } = this.#parts;
    const fault = fatalFault(sabotage, this.#tokensSent);
    if (!fault || !sabotage.faults) return false;
    this.#ended = true;
    abandon();
    endStream(fault, { out: this.#out, die, faults: sabotage.faults, dialect });
    return true;
  }
}
