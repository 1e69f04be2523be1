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
  askedAt: number;
  firstAt: number | null;
  endedAt: number | null;
  requestId: string | null;
  finish: string | null;
  usage: Usage | null;
  calls: readonly ToolCall[];
  fault: Fault | null;
}>;

export type AnswerEvent = Readonly<
  | { kind: 'asked'; at: number }
  /** The headers of the response have arrived. */
  | { kind: 'accepted'; requestId: string | null }
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
  requestId: null,
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
    return isUnderWay(answer) ? { ...answer, requestId: event.requestId } : answer;
  }
  const phase = PHASE_OF[event.kind];
  const allowed: readonly Phase[] = NEXT[answer.phase];
  if (!allowed.includes(phase)) return answer;
  switch (event.kind) {
    case 'asked':
      return { ...answer, phase, askedAt: event.at };
    case 'wrote':
      return { ...answer, phase, part: event.part, firstAt: answer.firstAt ?? event.at };
    case 'done': {
      const { at, finish, usage, calls } = event;
      return { ...answer, phase, endedAt: at, finish, usage, calls };
    }
    case 'failed':
      return { ...answer, phase, endedAt: event.at, fault: event.fault };
    case 'stopped':
    case 'cut':
      return { ...answer, phase, endedAt: event.at };
  }
}

const PHASE_OF = {
  asked: 'asking',
  wrote: 'streaming',
  done: 'done',
  stopped: 'stopped',
  failed: 'failed',
  cut: 'cut',
} as const satisfies Record<Exclude<AnswerEvent['kind'], 'accepted'>, Phase>;
