/**
 * The short form of `npm run torture`: every scene on every store, several at a time, in about two
 * minutes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fleet } from './fleet.ts';
import { PostgresServer } from './postgres-server.ts';
import { type Outcome, Skipped, type Stage, type StoreKind } from './scene.ts';
import { type Scene, SCENES, sharedFleet } from './scenes.ts';

/** How many scenes run at the same time. Scenes mostly wait, so this many keep two cores busy. */
const HANDS = 4;
const SEED = Number(process.env['TORTURE_SEED'] ?? 1);
const TIMEOUT_MS = 300_000;

type Play = {
  scene: Scene;
  short: NonNullable<Scene['short']>;
  store: StoreKind;
  outcome: PromiseWithResolvers<Outcome>;
};

const plays: Play[] = SCENES.flatMap((scene) => {
  const { short, stores } = scene;
  if (short === null) return [];
  return stores.map((store) => {
    return { scene, short, store, outcome: Promise.withResolvers<Outcome>() };
  });
});
/**
 * Groups of plays that run one after the other: the scenes that share a fleet, and each other scene
 * by itself.
 */
const together: Play[][] = [
  ...(['postgres', 'sqlite'] as const).map((store) =>
    plays.filter((play) => play.store === store && play.scene.shares),
  ),
  ...plays.filter(({ scene }) => !scene.shares && !scene.isAlone).map((play) => [play]),
];
const alone: Play[][] = plays.filter(({ scene }) => scene.isAlone).map((play) => [play]);
let server: Promise<PostgresServer>;
let played: Promise<void>;
beforeAll(() => {
  for (const { outcome } of plays) outcome.promise.catch(() => {});
  server = PostgresServer.create();
  server.catch(() => {});
  played = playAll();
});
afterAll(async () => {
  await played;
  await (await server)[Symbol.asyncDispose]();
}, TIMEOUT_MS);

async function playAll(): Promise<void> {
  await Promise.all(Array.from({ length: HANDS }, () => playActs(together)));
  await playActs(alone);
}

async function playActs(acts: Play[][]): Promise<void> {
  for (let act = acts.shift(); act; act = acts.shift()) {
    try {
      await playAct(act);
    } catch (error) {
      // Plays that have already ended keep their outcome.
      for (const { outcome } of act) outcome.reject(error);
    }
  }
}

async function playAct(act: readonly Play[]): Promise<void> {
  await using fleets = new AsyncDisposableStack();
  let shared: Fleet | null = null;
  for (const { scene, short, store, outcome } of act) {
    const postgres = store === 'postgres' ? await server : null;
    const stage: Stage = { store, postgres, seed: SEED };
    if (scene.shares) shared ??= fleets.use(await sharedFleet(stage));
    const playing = short(scene.shares && shared ? { ...stage, fleet: shared } : stage);
    outcome.resolve(playing);
    // The scene's own test reports its failure. The next play runs all the same.
    await playing.catch(() => {});
  }
}

describe.each(plays)('$scene.name on $store', ({ scene, store, outcome }) => {
  test(scene.shows, { timeout: TIMEOUT_MS }, async (context) => {
    try {
      const { figures, violations } = await outcome.promise;
      const told = Object.entries(figures).map(([name, value]) => `${name}: ${value}`);
      process.stdout.write(`${scene.name} on ${store}: ${told.join('; ')}\n`);
      expect(violations).toEqual([]);
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      process.stdout.write(`${scene.name} on ${store}: skipped, ${error.message}\n`);
      context.skip(error.message);
    }
  });
});
