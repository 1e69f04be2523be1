/**
 * One answer, from the request to its end:
 *
 *   idle ──▶ asking ──▶ streaming ──▶ done      the finish chunk and [DONE] have arrived
 *               │           ├───────▶ stopped   the reader stopped it
 *               │           ├───────▶ failed    the request was refused, or an error has arrived
 *               └───────────┴───────▶ cut       the stream ended before the answer was complete
 *
 * The first end wins: later events change nothing. The text is kept in a `TextBuffer`.
 */

const NEXT = {
  idle: ['asking'],
  asking: ['streaming', 'done', 'stopped', 'failed', 'cut'],
  streaming: ['streaming', 'done', 'stopped', 'failed', 'cut'],
  done: [],
  stopped: [],
  failed: [],
  cut: [],
} as const satisfies Record<string, readonly string[]>;

export type Phase = keyof typeof NEXT;

/** The part of the answer that is being written. */
export type Part = 'reasoning' | 'text' | 'tools';

export type Usage = Readonly<{
  prompt: number;
  /** Null when the engine does not report cached tokens. */
  cached: number | null;
  completion: number;
  reasoning: number | null;
}>;

export type ToolCall = Readonly<{ id: string; name: string; arguments: string }>;

export type Fault = Readonly<{
  /** The HTTP status; 0 when there was no response at all. */
  status: number;
  code: string;
  message: string;
}>;

export type Answer = Readonly<{
  phase: Phase;
  part: Part | null;
  /** Times in ms on a monotonic clock; 0 or null until the event has happened. */
  /** When the request was sent, or until then, when it was asked for. */
  askedAt: number;
  firstAt: number | null;
  endedAt: number | null;
  /** When the reasoning that is being written began; null while there is none. */
  thinkingSince: number | null;
  /** How long reasoning was written, in ms. */
  thoughtMs: number;
  requestId: string | null;
  /** The id of the key that the request was sent with, under which its usage is listed. */
  keyId: string | null;
  finish: string | null;
  usage: Usage | null;
  calls: readonly ToolCall[];
  fault: Fault | null;
}>;

export type AnswerEvent = Readonly<
  | { kind: 'asked'; at: number }
  /** The request was sent: before that, a key may have been opened. */
  | { kind: 'sent'; at: number }
  /** The headers of the response have arrived. */
  | { kind: 'accepted'; requestId: string | null; keyId: string | null }
  /** The first token of the answer, or of another part of it. */
  | { kind: 'wrote'; at: number; part: Part }
  | { kind: 'done'; at: number; finish: string; usage: Usage | null; calls: readonly ToolCall[] }
  | { kind: 'stopped'; at: number }
  | { kind: 'failed'; at: number; fault: Fault }
  | { kind: 'cut'; at: number }
>;

export const IDLE: Answer = {
  phase: 'idle',
  part: null,
  askedAt: 0,
  firstAt: null,
  endedAt: null,
  thinkingSince: null,
  thoughtMs: 0,
  requestId: null,
  keyId: null,
  finish: null,
  usage: null,
  calls: [],
  fault: null,
};

export function isUnderWay({ phase }: Answer): boolean {
  return phase === 'asking' || phase === 'streaming';
}

export function afterEvent(answer: Answer, event: AnswerEvent): Answer {
  if (event.kind === 'accepted') {
    const { requestId, keyId } = event;
    return isUnderWay(answer) ? { ...answer, requestId, keyId } : answer;
  }
  if (event.kind === 'sent') {
    return answer.phase === 'asking' ? { ...answer, askedAt: event.at } : answer;
  }
  const phase = PHASE_OF[event.kind];
  const allowed: readonly Phase[] = NEXT[answer.phase];
  if (!allowed.includes(phase)) return answer;
  switch (event.kind) {
    case 'asked':
      return { ...answer, phase, askedAt: event.at };
    case 'wrote':
      return {
        ...answer,
        ...thinkingAfter(answer, event.at, event.part),
        phase,
        part: event.part,
        firstAt: answer.firstAt ?? event.at,
      };
    case 'done': {
      const { at, finish, usage, calls } = event;
      return { ...answer, ...thinkingAfter(answer, at), phase, endedAt: at, finish, usage, calls };
    }
    case 'failed':
    case 'stopped':
    case 'cut': {
      const fault = event.kind === 'failed' ? event.fault : null;
      const { at } = event;
      return { ...answer, ...thinkingAfter(answer, at), phase, endedAt: at, fault };
    }
  }
}

/** Reasoning goes on while `part` is reasoning, and otherwise ends. */
function thinkingAfter({ thinkingSince, thoughtMs }: Answer, at: number, part?: Part) {
  if (part === 'reasoning') return { thinkingSince: thinkingSince ?? at, thoughtMs };
  if (thinkingSince === null) return { thinkingSince, thoughtMs };
  return { thinkingSince: null, thoughtMs: thoughtMs + at - thinkingSince };
}

const PHASE_OF = {
  asked: 'asking',
  wrote: 'streaming',
  done: 'done',
  stopped: 'stopped',
  failed: 'failed',
  cut: 'cut',
} as const satisfies Record<Exclude<AnswerEvent['kind'], 'accepted' | 'sent'>, Phase>;
