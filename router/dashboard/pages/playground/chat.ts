/**
 * The conversation: the actions on it, and the answers in flight. The page shows `turns`, which
 * change when an answer starts, moves from reasoning to text, or ends. The tokens are written to
 * the `TextBuffer` of the answer.
 */
import type { Model } from '../../../../shared/api/models.ts';
import { type AnswerEvent, isUnderWay } from './answer.ts';
import { type Built, buildBody } from './body.ts';
import type { Body } from './request.ts';
import type { Settings } from './settings.ts';
import type { TextBuffer } from './text-buffer.ts';
import {
  before,
  type Lane,
  newStep,
  type Prompt,
  type Step,
  type Turn,
  withEvent,
  withoutLane,
  withSteps,
} from './turns.ts';

/** Receives an answer while it streams. */
export type Hearer = Readonly<{
  signal: AbortSignal;
  text: TextBuffer;
  thoughts: TextBuffer;
  hear: (event: AnswerEvent) => void;
}>;

/**
 * Sends a request, reads its answer to the end and reports the end to `hearer`. It never rejects.
 */
export type SendChat = (body: Body, hearer: Hearer) => Promise<void>;

/** The models that receive the requests, and the settings of the requests of each. */
export type Setup = readonly Readonly<{ lane: Lane; model: Model; settings: Settings }>[];

export type Place = Readonly<{ turn: number; lane: Lane }>;

export class Chat {
  readonly #send: SendChat;
  #turns: readonly Turn[] = [];
  #lastId = 0;
  readonly #running = new Map<number, AbortController>();
  readonly #hearers = new Set<() => void>();

  /** `turns` are those of a chat that is continued. */
  constructor(send: SendChat, turns: readonly Turn[] = []) {
    this.#send = send;
    this.#turns = turns;
    const steps = turns.flatMap((turn) => Object.values(turn.steps).flat());
    this.#lastId = Math.max(0, ...turns.map(({ id }) => id), ...steps.map(({ id }) => id));
  }

  get turns(): readonly Turn[] {
    return this.#turns;
  }

  readonly subscribe = (hear: () => void): (() => void) => {
    this.#hearers.add(hear);
    return () => this.#hearers.delete(hear);
  };

  /** Sends a prompt to every model. With `from`, it replaces that turn and all turns after it. */
  send(prompt: Prompt, setup: Setup, from: number | null = null): void {
    this.stop();
    const kept = from === null ? this.#turns : before(this.#turns, from);
    const id = this.#newId();
    this.#change([...kept, { id, prompt, steps: {} }]);
    for (const { lane } of setup) this.#answer({ turn: id, lane }, setup);
  }

  /** Requests the last answer of a lane again, with the current settings. */
  retry(place: Place, setup: Setup): void {
    this.#end(this.#stepsAt(place).at(-1));
    this.#change(withSteps(this.#turns, place, (steps) => steps.slice(0, -1)));
    this.#answer(place, setup);
  }

  /** Sets the results of the tool calls in the last answer of a lane. Requests the next answer. */
  answerTools(place: Place, results: readonly string[], setup: Setup): void {
    this.#change(
      withSteps(this.#turns, place, (steps) =>
        steps.map((step, index) => (index === steps.length - 1 ? { ...step, results } : step)),
      ),
    );
    this.#answer(place, setup);
  }

  /**
   * Returns the next request of a lane, with `prompt` as one more turn; null when it has no model.
   */
  preview(lane: Lane, setup: Setup, prompt: Prompt | null): Built | null {
    const chosen = setup.find((one) => one.lane === lane);
    if (!chosen) return null;
    const next = prompt === null ? [] : [{ id: 0, prompt, steps: { [lane]: [] } }];
    const turns = [...this.#turns, ...next];
    return buildBody(chosen.model, chosen.settings, { turns, lane });
  }

  /** Stops all answers in flight. The text that was written so far stays. */
  stop(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  /** Removes the answers of a lane. `heir` keeps those of the turns that no other lane answered. */
  remove(lane: Lane, heir: Lane): void {
    for (const { steps } of this.#turns) for (const step of steps[lane] ?? []) this.#end(step);
    this.#change(withoutLane(this.#turns, lane, heir));
  }

  #answer(place: Place, setup: Setup): void {
    const chosen = setup.find(({ lane }) => lane === place.lane);
    if (!chosen) return;
    // From here on the lane has steps of its own, so it does not continue from the other lane's.
    this.#change(withSteps(this.#turns, place, (steps) => steps));
    const turns = [...before(this.#turns, place.turn), ...this.#turnsAt(place.turn)];
    const { model, settings } = chosen;
    const step = newStep(this.#newId(), buildBody(model, settings, { turns, lane: place.lane }));
    this.#change(withSteps(this.#turns, place, (steps) => [...steps, step]));
    void this.#run(step);
  }

  async #run(step: Step): Promise<void> {
    const controller = new AbortController();
    this.#running.set(step.id, controller);
    await this.#send(step.body, {
      signal: controller.signal,
      text: step.text,
      thoughts: step.thoughts,
      hear: (event) => this.#change(withEvent(this.#turns, step.id, event)),
    });
    this.#running.delete(step.id);
  }

  #end(step: Step | undefined): void {
    if (step) this.#running.get(step.id)?.abort();
  }

  #turnsAt(turn: number): readonly Turn[] {
    return this.#turns.filter(({ id }) => id === turn);
  }

  #stepsAt({ turn, lane }: Place): readonly Step[] {
    return this.#turnsAt(turn)[0]?.steps[lane] ?? [];
  }

  #newId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #change(turns: readonly Turn[]): void {
    this.#turns = turns;
    for (const hear of this.#hearers) hear();
  }
}

export function isAnswering(turns: readonly Turn[]): boolean {
  return turns.some(({ steps }) =>
    Object.values(steps).some((lane) => lane.some(({ answer }) => isUnderWay(answer))),
  );
}
