/**
 * Is imported before everything else by each process and thread of a test, and notes the npm
 * packages that it loads in a file of its own, one a line.
 */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { isMainThread, threadName } from 'node:worker_threads';

const name = isMainThread ? process.argv[2] : threadName;
const file = join(process.env['NOTED'] as string, name ?? 'unnamed');
const noted = new Set<string>();

registerHooks({
  load(url, context, next) {
    const [, found] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
    if (found !== undefined && !noted.has(found)) {
      noted.add(found);
      appendFileSync(file, `${found}\n`);
    }
    return next(url, context);
  },
});
