/**
 * Installs the engines of this run and makes their model, before the first test. Tells the tests which
 * engines the processor of this machine cannot run.
 */
import type { TestProject } from 'vitest/node';
import { makeModel } from './cache.ts';
import { EngineProcess } from './engine-process.ts';
import { chosen, installEngine } from './engines.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The names of the engines that cannot run here. */
    enginesLeftOut: readonly string[];
  }
}

export default async function setup(project: TestProject): Promise<void> {
  await makeModel();
  const leftOut: string[] = [];
  for (const engine of chosen()) {
    await installEngine(engine);
    if (!engine.forSomeProcessors || (await EngineProcess.runsHere(engine))) continue;
    leftOut.push(engine.name);
    process.stdout.write(
      `${engine.name} needs another processor than that of this machine, so it is not tested\n`,
    );
  }
  project.provide('enginesLeftOut', leftOut);
}
