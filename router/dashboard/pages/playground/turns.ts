/** A conversation: what was asked, turn by turn, and what each of the models that are compared answered. */
import { type Answer, type AnswerEvent, afterEvent, IDLE } from './answer.ts';
import type { Body } from './body.ts';
import { Ink } from './ink.ts';

/** Models side by side: one lane each. */
export type Lane = 'a' | 'b';
export const LANES: readonly Lane[] = ['a', 'b'];

/** A data URI, and what it is called. */
export type Image = Readonly<{ name: string; url: string; bytes: number }>;

export type Prompt = Readonly<{ text: string; images: readonly Image[] }>;

/** One request and its answer. */
export type Step = Readonly<{
  id: number;
  model: string;
  /** The very body that was sent. */
  body: Body;
  leftOut: readonly string[];
  text: Ink;
  thoughts: Ink;
  answer: Answer;
  /** What the tools that it called answered, in their order; null: nobody said yet. */
  results: readonly string[] | null;
}>;

export type Turn = Readonly<{
  id: number;
  prompt: Prompt;
  /** More than one step where tools were called. A lane that was not asked is missing. */
  steps: Readonly<Partial<Record<Lane, readonly Step[]>>>;
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
    text: new Ink(),
    thoughts: new Ink(),
    answer: IDLE,
    results: null,
  };
}

/** The lane's steps of a turn as `change` makes them; the lane begins if it has none. */
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

/** The answer of one step after an event, in whatever lane it is by now. */
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

/** What came before a turn. */
export function before(turns: readonly Turn[], turn: number): readonly Turn[] {
  const index = turns.findIndex(({ id }) => id === turn);
  return index < 0 ? turns : turns.slice(0, index);
}

/** One lane alone, as the first: what it did not answer it has from the other. */
export function onlyLane(turns: readonly Turn[], lane: Lane): readonly Turn[] {
  return turns.map(({ id, prompt, steps }) => ({
    id,
    prompt,
    steps: { a: steps[lane] ?? steps.a ?? [] },
  }));
}
