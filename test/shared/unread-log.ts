/** A process that logs 20 MB, says on standard output that it has, and ends when it is told to. */
import { once } from 'node:events';
import { makeLog } from '../../shared/log.ts';

const log = makeLog('test');
for (let line = 1; line <= 20_000; line++) log.info({ line, pad: 'p'.repeat(1_000) }, 'a line');
process.stdout.write('logged\n');
await once(process.stdin.resume(), 'end');
