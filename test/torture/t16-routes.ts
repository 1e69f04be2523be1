/**
 * T16: every inference route charges the usage that it shows, streamed or not, and no other path
 * reaches an engine. The scene reads the product's own table of routes, so that a new route is
 * covered automatically.
 */
import { Client } from 'undici';
import { ROUTES } from '../../router/request/routes.ts';
import { PICO_PER_USD } from '../../shared/money.ts';
import type { Call } from '../support/client-log.ts';
import { readBooks } from './books.ts';
import type { Fleet } from './fleet.ts';
import { MODEL } from './load.ts';
import { costOf } from './oracle.ts';
import { borrow, conclude, type Outcome, type Stage } from './scene.ts';

/** Paths that a careless match could take for an inferring route. */
const UNLISTED = [
  ['POST', '/v1/embeddings'],
  ['POST', '/v1/responses/x'],
  ['POST', '/v1/messages/batches'],
  ['GET', '/v1/responses'],
  ['POST', '/v1/audio/speech'],
  ['POST', '/v1/chat/completions/x'],
  ['POST', '/v1/v1/chat/completions'],
  ['POST', '/v1/Chat/Completions'],
  ['POST', '/v1/chat%2Fcompletions'],
  ['POST', '/v1/chat/../completions/..'],
  ['POST', '/v1/completions;x'],
  ['POST', '/chat/completions'],
  ['POST', '/completions'],
  ['POST', '/tokenize'],
  ['POST', '/v1'],
  ['PUT', '/v1/chat/completions'],
  ['PATCH', '/v1/completions'],
  ['GET', '/v1/chat/completions'],
  ['POST', '/v1/models'],
  ['POST', '/metrics'],
] as const;

export async function routes(stage: Stage): Promise<Outcome> {
  await using loan = await borrow(stage, {});
  const { fleet } = loan;
  const { id, key } = await fleet.office.customer('T16', PICO_PER_USD);
  const faults: string[] = [];
  const inferring = [...ROUTES].flatMap(([path, { route }]) =>
    route.kind === 'inference' ? [{ route: path, api: route.api }] : [],
  );
  const calls: Call[] = [];
  for (const { route, api } of inferring) {
    for (const streamed of [true, false]) {
      const call = await fleet.log.ask({
        base: fleet.router(0).base,
        key,
        model: MODEL,
        prompt: 'Write exactly 20 tokens.',
        maxTokens: 100,
        api,
        streamed,
      });
      calls.push(call);
      if (call.ending !== 'complete') faults.push(`${route}, streamed ${streamed}: ${call.ending}`);
    }
  }
  const { prices } = await readBooks(fleet.storeUrl);
  const listed = prices.find(({ model }) => model === MODEL);
  const shown = calls.reduce(
    (sum, { usage }) => sum + (usage && listed ? costOf(listed, usage) : 0n),
    0n,
  );
  const { balance } = await fleet.office.credit(id);
  if (PICO_PER_USD - balance !== shown || shown === 0n) {
    faults.push(`the answers showed ${shown}, but ${PICO_PER_USD - balance} was charged`);
  }
  faults.push(...(await tryUnlisted(fleet, key)));
  const figures = { 'inferring routes': inferring.length, 'unlisted paths': UNLISTED.length };
  return await conclude(loan, { crashes: false }, figures, faults);
}

async function tryUnlisted(fleet: Fleet, key: string): Promise<string[]> {
  const faults: string[] = [];
  const before = (await fleet.engine()).started;
  const body = { model: MODEL, max_tokens: 5, messages: [{ role: 'user', content: 'Hi.' }] };
  await using client = disposable(new Client(fleet.router(0).origin));
  for (const [method, path] of UNLISTED) {
    const { statusCode, body: answer } = await client.it.request({
      // The path is sent unchanged, where a URL object would normalize it.
      path,
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: method === 'GET' ? null : JSON.stringify({ ...body, prompt: 'Hi.', input: 'Hi.' }),
    });
    await answer.dump();
    if (statusCode < 400) faults.push(`${method} ${path} got ${statusCode}`);
  }
  const reached = (await fleet.engine()).started - before;
  if (reached !== 0) faults.push(`unlisted paths reached the engine ${reached} times`);
  return faults;
}

function disposable(client: Client) {
  return { it: client, [Symbol.asyncDispose]: () => client.destroy() };
}
