/** Reads a body of an API as the router does. */
import type { Api } from '../../../../../router/request/api.ts';
import { isFault } from '../../../../../router/request/reading/fault.ts';
import { readRequest } from '../../../../../router/request/reading/read.ts';

function readAs(api: Api, body: object | string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = new TextEncoder().encode(text);
  return readRequest({ bytes, api, salt: 'salt' });
}

/** The chat that the agent gets for a body, and the facts about it. */
export function translated(api: Api, body: object | string) {
  const read = readAs(api, body);
  if (isFault(read)) throw new Error(`${read.param}: ${read.message}`);
  return { chat: JSON.parse(Buffer.from(read.bytes).toString()) as object, facts: read.facts };
}

/** The code and the field of the fault of a body, and its message. */
export function faultOf(api: Api, body: object) {
  const read = readAs(api, body);
  return isFault(read) ? { code: read.code, param: read.param, message: read.message } : null;
}
