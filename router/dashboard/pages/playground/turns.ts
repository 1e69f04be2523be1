/** A conversation: the prompts, turn by turn, and the answers of each compared model. */
import { type Answer, type AnswerEvent, afterEvent, IDLE } from './answer.ts';
import type { Body } from './request.ts';
import { TextBuffer } from './text-buffer.ts';

/** The models that are compared side by side have one lane each. */
export const LANES = ['a', 'b', 'c', 'd'] as const;
export type Lane = (typeof LANES)[number];

/** `url` is a data URI, and `bytes` the size of the file. */
export type Image = Readonly<{ name: string; url: string; bytes: number }>;

export type Prompt = Readonly<{ text: string; images: readonly Image[] }>;

/** One request and its answer. */
export type Step = Readonly<{
  id: number;
  model: string;
  /** The body exactly as it was sent. */
  body: Body;
  leftOut: readonly string[];
  text: TextBuffer;
  thoughts: TextBuffer;
  answer: Answer;
  /**
   * The results of the answer's tool calls, in the order of the calls; null until they are sent.
   */
  results: readonly string[] | null;
}>;

export type Steps = Readonly<Partial<Record<Lane, readonly Step[]>>>;

export type Turn = Readonly<{
  id: number;
  prompt: Prompt;
  /** A lane has several steps when tools were called. A lane without a request is missing. */
  steps: Steps;
}>;

export function newStep(
  id: number,
  asked: Readonly<{ body: Body; leftOut: readonly string[] }>,
): Step {
  const { body, leftOut } = asked;
  return {
    id,
    model: body.model,
    body,
    leftOut,
    text: new TextBuffer(),
    thoughts: new TextBuffer(),
    answer: IDLE,
    results: null,
  };
}

/** Applies `change` to the steps of a lane in a turn; a missing lane starts with no steps. */
export function withSteps(
  turns: readonly Turn[],
  { turn, lane }: Readonly<{ turn: number; lane: Lane }>,
  change: (steps: readonly Step[]) => readonly Step[],
): readonly Turn[] {
  return turns.map((one) =>
    one.id === turn
      ? { ...one, steps: { ...one.steps, [lane]: change(one.steps[lane] ?? []) } }
      : one,
  );
}

/** Applies an event to the answer of a step, whatever lane the step is in by now. */
export function withEvent(
  turns: readonly Turn[],
  step: number,
  event: AnswerEvent,
): readonly Turn[] {
  const changed = (one: Step) =>
    one.id === step ? { ...one, answer: afterEvent(one.answer, event) } : one;
  return turns.map((turn) => {
    const lane = LANES.find((name) => turn.steps[name]?.some(({ id }) => id === step));
    if (lane === undefined) return turn;
    return { ...turn, steps: { ...turn.steps, [lane]: turn.steps[lane]?.map(changed) } };
  });
}

/** Returns the turns before `turn`; all turns when `turn` is not among them. */
export function before(turns: readonly Turn[], turn: number): readonly Turn[] {
  const index = turns.findIndex(({ id }) => id === turn);
  return index < 0 ? turns : turns.slice(0, index);
}

/**
 * Returns the steps from which a lane goes on: in a turn that it did not answer, those of the first
 * lane that did.
 */
export function stepsFor(steps: Steps, lane: Lane): readonly Step[] {
  return steps[lane] ?? LANES.map((one) => steps[one]).find((one) => one !== undefined) ?? [];
}

/**
 * Removes a lane. A turn that no other lane answered keeps its answers, which become those of
 * `heir`.
 */
export function withoutLane(turns: readonly Turn[], lane: Lane, heir: Lane): readonly Turn[] {
  return turns.map((turn) => {
    const { [lane]: removed, ...rest } = turn.steps;
    if (removed === undefined) return turn;
    const isAlone = Object.keys(rest).length === 0;
    return { ...turn, steps: isAlone ? { [heir]: removed } : rest };
  });
}
