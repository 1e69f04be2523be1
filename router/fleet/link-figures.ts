/** Counts the links to each agent, for the metrics: those of the agents that connected last. */
import { LRUCache } from 'lru-cache';
import type { Socket } from 'node:net';
import type { AgentId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import { LinkBytes } from '../../shared/wire/link-bytes.ts';
import type { LinkEnd } from './session.ts';

type Figures = {
  joined: number;
  readonly ended: Map<LinkEnd, number>;
  readonly bytes: LinkBytes;
};

export class LinkFigures {
  readonly #agents = new LRUCache<AgentId, Figures>({ max: limits.workerSeriesMax });
  /** Agents that were refused. */
  refused = 0;

  get agents(): Iterable<readonly [AgentId, Readonly<Figures>]> {
    return this.#agents.entries();
  }

  joined(agent: AgentId, connection: Pick<Socket, 'bytesRead' | 'bytesWritten'>): void {
    let figures = this.#agents.get(agent);
    if (!figures) {
      figures = { joined: 0, ended: new Map(), bytes: new LinkBytes() };
      this.#agents.set(agent, figures);
    }
    figures.joined += 1;
    figures.bytes.follow(connection);
  }

  ended(agent: AgentId, reason: LinkEnd): void {
    const ended = this.#agents.peek(agent)?.ended;
    ended?.set(reason, (ended.get(reason) ?? 0) + 1);
  }
}
