/**
 * Replaces Fastify's body reading: each content type's parser reads the body itself, and no more
 * bytes than it needs.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '../../shared/limits.ts';
import type { Api } from './api.ts';
import { type Bodies, type HeldBody, parseJson } from './bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    heldBody: HeldBody | null;
    /**
     * Reads the whole body, of at most `bytesMax` bytes. It counts against its sender's budget
     * until the response has ended. Throws `Refused`.
     */
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
    // An unknown route has no use for the body.
    if (request.is404) return undefined;
    const { strangerBodyBytesMax, callerBodyBytesMax } = limits;
    const isStranger = senderOf(request) === 'stranger';
    return parseJson(
      await request.readBody(isStranger ? strangerBodyBytesMax : callerBodyBytesMax),
    );
  });
  // Also runs when the sender disconnects before the response.
  app.addHook('onResponse', async (request) => {
    request.heldBody?.[Symbol.dispose]();
  });
  app.addHook('onSend', async (request, reply) => closeAfterPart(request, reply));
}

/** A route without `access` is one of the router's own pages, which need no session. */
function senderOf({ caller }: FastifyRequest) {
  return caller ? 'caller' : 'stranger';
}

/**
 * Closes the connection after the response when the body was not read to its end and may go on for
 * long. A body that declares a short length is read and discarded instead, so that its sender gets
 * to see the response.
 */
function closeAfterPart({ raw, headers }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return;
  const isChunked = headers['transfer-encoding'] !== undefined;
  const declared = Number(headers['content-length'] ?? 0);
  if (isChunked || declared > limits.callerBodyBytesMax) reply.header('connection', 'close');
}
