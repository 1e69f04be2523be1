/**
 * Breadth-first search through all reachable states, so that a counterexample is as short as
 * possible.
 */
import { forget, keyOf } from './canonical.ts';
import { findViolation, findViolationAtRest, type Invariant } from './invariants.ts';
import type { Law } from './law.ts';
import { processSteps } from './processes.ts';
import { type Emit, requestSteps, type Rules } from './requests.ts';
import { initial, type Scope, type State } from './state.ts';

export type Found = Readonly<{ violated: Invariant; trace: readonly string[] }>;
export type Explored = Readonly<{
  states: number;
  /** How many states have nothing left to do. */
  atRest: number;
  /** Every kind of step that was taken. */
  steps: ReadonlySet<string>;
  found: Found | null;
}>;

/** Ends with the first violation, or when there are no new states. */
export function explore(law: Law, scope: Scope): Explored {
  const rules: Rules = { law, scope };
  const start = initial(scope);
  /**
   * `numbers`: each state's number in the order of discovery, by key. `from`: by number, the number
   * of the state that it was reached from.
   */
  const numbers = new Map([[keyOf(start), 0]]);
  const from = [-1];
  const kinds = new Set<string>();
  let atRest = 0;
  let expanded = 0;
  for (let frontier = [start]; frontier.length > 0; ) {
    const reached: State[] = [];
    for (const state of frontier) {
      let violated = findViolation(scope.start, state);
      let isAtRest = true;
      const number = expanded++;
      stepsFrom(rules, state, (likelihood, step, _who, next) => {
        kinds.add(step);
        if (likelihood === 'due') isAtRest = false;
        const key = keyOf(next);
        if (numbers.has(key)) return;
        numbers.set(key, numbers.size);
        from.push(number);
        reached.push(next);
      });
      if (isAtRest) {
        atRest++;
        violated ??= findViolationAtRest(state);
      }
      if (violated === null) continue;
      const trace = traceTo(rules, start, keysTo(number, from, numbers));
      return { states: numbers.size, atRest, steps: kinds, found: { violated, trace } };
    }
    frontier = reached;
  }
  return { states: numbers.size, atRest, steps: kinds, found: null };
}

function stepsFrom(rules: Rules, state: State, emit: Emit): void {
  const { law, scope } = rules;
  const forgetfully: Emit = (likelihood, step, who, next) => {
    if (likelihood === 'loss' && state.surviving && !scope.fullSuffix) return;
    emit(likelihood, step, who, forget(law, state, next));
  };
  requestSteps(rules, state, forgetfully);
  processSteps(rules, state, forgetfully);
}

function keysTo(
  number: number,
  from: readonly number[],
  numbers: ReadonlyMap<string, number>,
): string[] {
  const path = new Set<number>();
  for (let at = number; at > 0; at = from[at] as number) path.add(at);
  return [...numbers].filter(([, at]) => path.has(at)).map(([key]) => key);
}

/**
 * Replays the keys from the start. A state's successors are the same up to names, by whatever path
 * it was reached.
 */
function traceTo(rules: Rules, start: State, keys: readonly string[]): string[] {
  const trace: string[] = [];
  let state = start;
  for (const key of keys) {
    let reached: State | null = null;
    stepsFrom(rules, state, (_likelihood, step, who, next) => {
      if (reached || keyOf(next) !== key) return;
      reached = next;
      trace.push(who < 0 ? step : `${who}: ${step}`);
    });
    if (!reached) throw new Error(`no step leads on from: ${trace.join('; ')}`);
    state = reached;
  }
  return trace;
}
