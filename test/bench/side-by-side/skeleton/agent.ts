/**
 * The skeleton's agent, a process of its own: asks the engine for a stream, searches each event for
 * its text, and sends the texts that come within a millisecond as one message.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { type Dispatcher, Pool } from 'undici';
import { WebSocket } from 'ws';
import { answerParent } from '../bench-process.ts';
import { KIND, LinkWriter, readRecords } from './link.ts';

const CONNECTIONS = 1_024;
const LINGER_MS = 1;
const BEFORE_TEXT = '"content":"';
/** The same events as the product's agent asks for. */
const STREAMED = {
  stream: true,
  stream_options: { include_usage: true, continuous_usage_stats: true },
};

const { values: flags } = parseArgs({
  options: { engine: { type: 'string', default: '' }, router: { type: 'string', default: '' } },
});
const engine = new Pool(flags.engine, { connections: CONNECTIONS, bodyTimeout: 0 });
// Like the product's agent, it sends with a mask of zeros, because a mask would protect nothing here.
const socket = new WebSocket(flags.router.replace('http', 'ws'), { generateMask() {} });
const link = new LinkWriter(socket, LINGER_MS);

class Answer implements Dispatcher.DispatchHandler {
  readonly #stream: number;

  constructor(stream: number) {
    this.#stream = stream;
  }

  onRequestStart(): void {}

  onResponseStart(): void {}

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const events = chunk.toString('latin1');
    let from = events.indexOf(BEFORE_TEXT);
    while (from >= 0) {
      const end = events.indexOf('"', from + BEFORE_TEXT.length);
      if (end < 0) throw new Error('the engine has split an event');
      const text = events.slice(from + BEFORE_TEXT.length, end);
      if (text !== '') link.add(this.#stream, KIND.text, text);
      from = events.indexOf(BEFORE_TEXT, end);
    }
  }

  onResponseEnd(): void {
    link.add(this.#stream, KIND.end, '');
  }

  onResponseError(): void {
    this.onResponseEnd();
  }
}

socket.on('message', (message: Buffer) => {
  readRecords(message, (stream, _kind, asked) => {
    const wanted = { ...(JSON.parse(asked) as object), ...STREAMED };
    const body = Buffer.from(JSON.stringify(wanted), 'latin1');
    const headers = { 'content-type': 'application/json' };
    engine.dispatch(
      { path: '/v1/chat/completions', method: 'POST', headers, body },
      new Answer(stream),
    );
  });
});
await once(socket, 'open');
answerParent('', async () => null);
