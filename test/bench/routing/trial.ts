/** Runs trials in a thread. A trace and a load are created once for all trials that share them. */
import { systemClock } from '../../../shared/clock.ts';
import { type Random, seededRandom } from '../../../shared/random.ts';
import type { Figures } from './figures.ts';
import type { Timeline } from './model/timeline.ts';
import type { Worker } from './model/worker.ts';
import { PRODUCT, RULE_WITH_EVENTS, type Trial } from './plan.ts';
import { OWN } from './routers/own.ts';
import { productRouters } from './routers/product.ts';
import type { Router } from './routers/router.ts';
import { simulate } from './simulate.ts';
import { makeLoad } from './trace/load.ts';
import type { Trace } from './trace/trace.ts';

/** The approximate error of routers' token estimates, which are based on characters. */
const TOKEN_ERROR = 0.1;

export function runTrial(trial: Trial, trace: Trace): Figures {
  const { requestsPerS, requestsMax, routers, workers, blocks } = trial;
  const loadOptions = { requestsPerS, requestsMax, routers, tokenErrorDeviation: TOKEN_ERROR };
  const load = makeLoad(trace, loadOptions, seededRandom(trial.seed));
  const random = seededRandom(trial.seed * 77);
  return simulate({
    load,
    workers,
    blocks,
    makeRouters: (fleet, timeline) => routersOf(trial, { fleet, timeline, random }),
  });
}

function routersOf(
  trial: Trial,
  parts: Readonly<{ fleet: readonly Worker[]; timeline: Timeline; random: Random }>,
): readonly Router[] {
  const { policy, routers } = trial;
  if (policy in OWN) return Array(routers).fill(OWN[policy as keyof typeof OWN](parts));
  const product = {
    policy: PRODUCT[policy as keyof typeof PRODUCT],
    kvEvents: policy === RULE_WITH_EVENTS,
    routers,
    talk: trial.talk,
  };
  return productRouters(product, { ...parts, stopwatch: systemClock });
}
