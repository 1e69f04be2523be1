/** Fastify reads no body here: each of its parsers asks for the body, and for no more bytes than it has a use for. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '../../shared/limits.ts';
import type { Api } from './api.ts';
import { type Bodies, type HeldBody, parseJson } from './bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    heldBody: HeldBody | null;
    /** The whole body of at most so many bytes, counted until the answer is over. Throws Refused. */
    readBody(bytesMax: number): Promise<Buffer>;
  }
}

export function readBodies(app: Api, bodies: Bodies): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('heldBody', null);
  app.decorateRequest('readBody', async function (this: FastifyRequest, bytesMax: number) {
    const { ip: address, raw } = this;
    this.heldBody = await bodies.read(raw, { sender: senderOf(this), address, bytesMax });
    return this.heldBody.bytes;
  });
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    // Nothing is there that would have a use for it.
    if (request.is404) return undefined;
    const { strangerBodyBytesMax, callerBodyBytesMax } = limits;
    const isStranger = senderOf(request) === 'stranger';
    return parseJson(
      await request.readBody(isStranger ? strangerBodyBytesMax : callerBodyBytesMax),
    );
  });
  // Also where its sender has gone before there was an answer.
  app.addHook('onResponse', async (request) => {
    request.heldBody?.[Symbol.dispose]();
  });
  app.addHook('onSend', async (request, reply) => closeAfterPart(request, reply));
}

/** A route without an `access` is one of our own pages, and those need no session. */
function senderOf({ caller }: FastifyRequest) {
  return caller ? 'caller' : 'stranger';
}

/**
 * A body that was not read, or not to its end, may go on for ever: then the connection ends with the answer. One that
 * is short, by its own account, is read on and thrown away, so that its sender gets to see the answer.
 */
function closeAfterPart({ raw, headers }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return;
  const isChunked = headers['transfer-encoding'] !== undefined;
  const declared = Number(headers['content-length'] ?? 0);
  if (isChunked || declared > limits.callerBodyBytesMax) reply.header('connection', 'close');
}
