/** The phases of a worker, and the transitions between them, which only `nextPhase` makes. */

export const PHASES = ['joining', 'ready', 'draining', 'gone'] as const;
export type Phase = (typeof PHASES)[number];

const NEXT: Readonly<Record<Phase, readonly Phase[]>> = {
  joining: ['ready', 'draining', 'gone'],
  ready: ['joining', 'draining', 'gone'],
  draining: ['joining', 'ready', 'gone'],
  gone: [],
};

/** The phase after a report. A transition that the table does not allow changes nothing. */
export function nextPhase(now: Phase, wanted: Phase): Phase {
  return NEXT[now].includes(wanted) ? wanted : now;
}
