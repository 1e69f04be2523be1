/** The named events of a stream, and requests of the APIs that send them. */
import { createParser } from 'eventsource-parser';
import { readStream, type Seen } from '../../support/sse.ts';
import { type Customer, MODEL } from './rig.ts';
import type { AgentStream } from './scripted-agent.ts';
import { rig } from './shared-rig.ts';

export type NamedEvent = Readonly<{ type: string }> & Readonly<Record<string, unknown>>;

/** The paths and the smallest requests of the APIs. */
export const ASKS = {
  responses: { path: '/v1/responses', body: { model: MODEL, input: 'Hi.' } },
  messages: {
    path: '/v1/messages',
    body: { model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'Hi.' }] },
  },
} as const;

export type NamedApi = keyof typeof ASKS;

export function ask(
  customer: Customer,
  api: NamedApi,
  fields: object = {},
  init: RequestInit = {},
): Promise<Response> {
  const { path, body } = ASKS[api];
  return rig.post(customer, {}, { body: JSON.stringify({ ...body, ...fields }), ...init }, path);
}

/** The events that a client sees of the answer that `give` gives. */
export async function streamed(
  customer: Customer,
  api: NamedApi,
  give: (stream: AgentStream) => void,
  fields: object = {},
): Promise<Seen & { events: NamedEvent[] }> {
  const response = ask(customer, api, { stream: true, ...fields });
  const stream = await rig.agent.next();
  give(stream);
  const seen = await readStream(await response);
  return { ...seen, events: eventsOf(seen.raw) };
}

/** The events of an answer whose engine fails once the client has the first of them. */
export async function cut(
  customer: Customer,
  api: NamedApi,
  give: (stream: AgentStream) => void,
): Promise<Seen & { events: NamedEvent[] }> {
  const response = ask(customer, api, { stream: true });
  const stream = await rig.agent.next();
  give(stream);
  const reading = readStream(await response);
  stream.fail();
  const seen = await reading;
  return { ...seen, events: eventsOf(seen.raw) };
}

/** Throws when the name of an event is not its type. */
export function eventsOf(raw: string): NamedEvent[] {
  const events: NamedEvent[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      const read = JSON.parse(data) as NamedEvent;
      if (read.type !== event) throw new Error(`${event} has the type ${read.type}`);
      events.push(read);
    },
  });
  parser.feed(raw);
  return events;
}
