/** A thread that draws documents as PDFs, one after another. */
import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../../../shared/thread-priority.ts';
import type { Drawn, ToDraw } from './drawings.ts';
import { writePdf } from './pdf.ts';

if (!parentPort) throw new Error('documents are drawn on a thread');
const port = parentPort;
// The event loop serves all streams, so drawings yield to it.
lowerPriority('below normal');

let last = Promise.resolve();
port.on('message', (wanted: ToDraw) => {
  last = last.then(() => draw(wanted));
});

async function draw({ id, document, issued }: ToDraw): Promise<void> {
  const drawn: Drawn = await writePdf(document, issued).then(
    (pdf) => ({ id, pdf }),
    (error: unknown) => ({ id, error: String(error) }),
  );
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
  port.postMessage(drawn);
}
