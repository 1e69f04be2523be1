/** Ways to pick a worker: one pure function a file, all of one shape, all under one suite of laws. */
import type { Random } from '../../shared/random.ts';

/** A worker as a policy may see it. */
export type Candidate = Readonly<{
  id: string;
  /** Requests of this router under way on it. */
  inFlight: number;
  /** Requests waiting in its engine, of whomever. */
  waiting: number;
  slots: number;
  /** 0 to 1. */
  kvUse: number;
}>;

/** Picks one of the candidates, which are never empty. Pure but for `random`. */
export type Policy = <C extends Candidate>(candidates: readonly C[], random: Random) => C;
