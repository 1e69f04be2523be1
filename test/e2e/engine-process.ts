/**
 * An engine as a separate process, for behavior that only processes have: loading, exiting,
 * hanging, ignoring a signal. `node engine-process.ts PORT MODE`, where MODE is one of good, loads,
 * dumb, stubborn, dies.
 */
import { spawn } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';

const [port, mode] = process.argv.slice(2) as [string, string];
if (mode === 'dies') {
  process.stderr.write(
    'ValueError: api_key=sk-in-the-log does not fit\nno GPU for hf-secret-value\n',
  );
  process.exit(3);
}
// A process of the same group that does not end by itself, like an engine's workers.
const worker = spawn('sleep', ['1000'], { stdio: 'ignore' });
let loaded = mode !== 'loads';
let served = 0;
if (mode === 'stubborn') process.on('SIGTERM', () => {});

const PAGES: Readonly<Record<string, () => unknown>> = {
  '/version': () => ({ version: '0.25.0' }),
  '/v1/models': () => ({ data: [{ id: 'Test/Plain-7B' }] }),
  '/pids': () => ({ engine: process.pid, worker: worker.pid }),
};

function answer(response: ServerResponse): void {
  served += 1;
  const usage = { prompt_tokens: 200, completion_tokens: 1 };
  const event = (value: object) => response.write(`data: ${JSON.stringify(value)}\n\n`);
  event({ choices: [{ index: 0, delta: { content: 'x' }, finish_reason: null }], usage });
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'length' }], usage });
  event({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}

createServer((request, response) => {
  request.resume();
  const path = request.url ?? '';
  if (path === '/health') response.writeHead(loaded ? 200 : 503).end();
  else if (path === '/metrics') response.end(`vllm:generation_tokens_total ${served}\n`);
  else if (path === '/loaded') {
    loaded = true;
    response.end();
  } else if (path === '/die') process.exit(1);
  else if (path === '/v1/chat/completions') {
    // A hanging engine accepts the request and sends no answer.
    if (mode === 'dumb') response.writeHead(200).flushHeaders();
    else answer(response);
  } else if (PAGES[path]) response.end(JSON.stringify(PAGES[path]()));
  else response.writeHead(404).end();
}).listen(Number(port), '127.0.0.1', () => {
  process.stdout.write('INFO Loading safetensors checkpoint shards:   0% Completed | 0/4\r');
  process.stdout.write('INFO Loading safetensors checkpoint shards:  25% Completed | 1/4\n');
});
