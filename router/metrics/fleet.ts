/** Metrics of the workers and of the links to their agents. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { limits } from '../../shared/limits.ts';
import { REGIONS, type Region } from '../../shared/region.ts';
import { mayServe } from '../fleet/peers.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { LinkFigures } from '../fleet/link-figures.ts';
import { watchValue } from './value.ts';

/** `regions`: those of this router's listeners. */
export function watchFleet(registry: Registry, fleet: Fleet, regions: readonly Region[]): void {
  const registers = [registry];
  new Gauge({
    name: 'penstock_router_workers',
    help: 'Workers by phase.',
    labelNames: ['phase'],
    registers,
    collect() {
      for (const [phase, count] of Object.entries(fleet.countByPhase())) this.set({ phase }, count);
    },
  });
  watchValue(
    registry,
    'penstock_router_prefix_index_entries',
    'Chunks of prompts in the prefix index, once for each worker that was sent them.',
    () => fleet.forecasts.index.entries,
  );
  watchValue(
    registry,
    'penstock_router_prefix_index_bytes',
    'Memory of the prefix index.',
    () => fleet.forecasts.index.bytes,
  );
  const served = REGIONS.filter((region) => mayServe(region, regions));
  new Gauge({
    name: 'penstock_router_workers_ready',
    help: 'Workers that accept requests, by the region that they serve besides the global one. Only regions whose agents may serve this router are listed.',
    labelNames: ['region'],
    registers,
    collect() {
      for (const region of served) this.set({ region }, 0);
      for (const { phase, region } of fleet.workers) if (phase === 'ready') this.inc({ region });
    },
  });
  new Gauge({
    name: 'penstock_router_worker_running',
    help: 'Requests of this router in flight on a worker.',
    labelNames: ['worker'],
    registers,
    collect() {
      this.reset();
      for (const { id, inFlight } of firstOf(fleet.workers)) this.set({ worker: id }, inFlight);
    },
  });
  new Gauge({
    name: 'penstock_router_worker_share',
    help: 'The share of its slots that a worker may fill: 0 while its breaker is open.',
    labelNames: ['worker'],
    registers,
    collect() {
      this.reset();
      for (const { id, breaker } of firstOf(fleet.workers)) this.set({ worker: id }, breaker.share);
    },
  });
  new Counter({
    name: 'penstock_router_breaker_turns_total',
    help: 'How often the breakers of workers changed to a state.',
    labelNames: ['state'],
    registers,
    collect() {
      this.reset();
      for (const [state, count] of Object.entries(fleet.breakerTransitions))
        this.inc({ state }, count);
    },
  });
}

/** The first workers or agents, because agents choose the names and number of their workers. */
function firstOf<T>(all: Iterable<T>): Iterable<T> {
  return Iterator.from(all).take(limits.workerSeriesMax);
}

export function watchLinks(registry: Registry, fleet: Fleet, figures: LinkFigures): void {
  const registers = [registry];
  new Gauge({
    name: 'penstock_router_links',
    help: 'Agents that are linked to this router, by their region.',
    labelNames: ['region'],
    registers,
    collect() {
      for (const region of REGIONS) this.set({ region }, 0);
      for (const { region } of fleet.sessions) this.inc({ region });
    },
  });
  new Gauge({
    name: 'penstock_router_link_round_trip_seconds',
    help: 'Round trip of pings on the link to an agent, without those that waited behind other traffic.',
    labelNames: ['agent'],
    registers,
    collect() {
      this.reset();
      for (const { agent, rttMs } of firstOf(fleet.sessions)) this.set({ agent }, rttMs / 1000);
    },
  });
  new Counter({
    name: 'penstock_router_link_bytes_total',
    help: 'Bytes on the links to an agent.',
    labelNames: ['agent', 'direction'],
    registers,
    collect() {
      this.reset();
      for (const [agent, { bytes }] of figures.agents) {
        this.inc({ agent, direction: 'received' }, bytes.received);
        this.inc({ agent, direction: 'sent' }, bytes.sent);
      }
    },
  });
  new Counter({
    name: 'penstock_router_links_joined_total',
    help: 'Links to an agent that were joined. More than one in a short time means that it flaps.',
    labelNames: ['agent'],
    registers,
    collect() {
      this.reset();
      for (const [agent, { joined }] of figures.agents) this.inc({ agent }, joined);
    },
  });
  new Counter({
    name: 'penstock_router_links_ended_total',
    help: 'Links to an agent that ended, by the reason: closed (by the agent or the network), silent, protocol, replaced, revoked, stopping.',
    labelNames: ['agent', 'reason'],
    registers,
    collect() {
      this.reset();
      for (const [agent, { ended }] of figures.agents) {
        for (const [reason, count] of ended) this.inc({ agent, reason }, count);
      }
    },
  });
  new Counter({
    name: 'penstock_router_links_refused_total',
    help: 'Agents that were refused when they connected; the log has the reasons.',
    registers,
    collect() {
      this.reset();
      this.inc(figures.refused);
    },
  });
}
