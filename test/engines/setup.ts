/** Installs the engines of this run and makes their model, before the first test. */
import { makeModel } from './cache.ts';
import { chosen, installEngine } from './engines.ts';

export default async function setup(): Promise<void> {
  await makeModel();
  for (const engine of chosen()) await installEngine(engine);
}
