/** What happens to an agent and its workers, as one router observes it (decision 0034). */
import type { HostAction } from '../../shared/host-events.ts';
import type { AgentId } from '../../shared/ids.ts';

export type HostEvent = Readonly<{
  agent: AgentId;
  /** The name of the worker; empty when it happened to the agent. */
  worker: string;
  action: HostAction;
  /** A version, or why a link ended; empty when there is nothing to add. */
  detail: string;
  /**
   * What identifies the event on all routers: the id of the start of the agent, and what happened in
   * this run of it. Null when each router observes an event of its own.
   */
  once: readonly [run: string, ...rest: string[]] | null;
}>;
