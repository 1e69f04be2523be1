/** Installs the engines of this run and makes their model, before the first test. */
import { install, makeModel, model } from './cache.ts';
import { chosen } from './engines.ts';
import { installGo } from './go-program.ts';

export default async function setup(): Promise<void> {
  await makeModel();
  for (const engine of chosen()) {
    await ('module' in engine ? installGo(engine) : install(engine));
    await engine.prepare?.(model());
  }
}
