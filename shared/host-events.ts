/** What happens to the agent of a host and to its workers, as routers record it, and notes on it. */

export const HOST_ACTIONS = [
  /** The agent has connected to a router, or its link to a router has ended. */
  'agent.joined',
  'agent.left',
  /** No router is connected to the agent any more, or one is again (decision 0034). */
  'agent.lost',
  'agent.returned',
  /** The agent was started. */
  'agent.started',
  /** The agent was told to stop: it gets no new requests. */
  'agent.stopping',
  /** The agent has found this engine for the first time since it was started. */
  'worker.found',
  /** The engine was restarted while the agent was running. */
  'worker.restarted',
  /** The worker's circuit breaker at a router. */
  'worker.breaker-opened',
  'worker.breaker-closed',
  /** An operator has written a note. */
  'agent.note',
] as const;

export type HostAction = (typeof HOST_ACTIONS)[number];

export const HOST_NOTE_CHARS_MAX = 500;
