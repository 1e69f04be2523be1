import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PICO_PER_USD } from '../../../shared/money.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { Store } from '../../../router/store/store.ts';
import { LOG, REGISTRY, Rig } from './rig.ts';

const CHILD = fileURLToPath(new URL('./kill-child.ts', import.meta.url));

test('MONEY 25: while a router lives nobody else writes its file, and it is free as soon as that is killed', async () => {
  await using rig = await Rig.start();
  const organization = await rig.organization(5n * PICO_PER_USD);
  await rig.closeStore();
  const config = { url: rig.place.url, registry: REGISTRY };
  const open = (): Promise<Store> => openStore(config, { clock: rig.clock, log: LOG });
  const child = spawn(process.execPath, [CHILD, rig.place.url, organization], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.stdout.resume();
  await expect(open()).rejects.toThrow('open in another process');
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  await rig.reopenStore();
});
