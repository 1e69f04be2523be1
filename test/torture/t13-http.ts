/**
 * T13, HTTP: input that is not exactly one well-formed request gets one error response at most, and
 * its connection is closed within a second. So nothing hidden in it is ever taken for a separate
 * request.
 */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { PICO_PER_USD } from '../../shared/money.ts';
import { MODEL } from './load.ts';
import { borrow, conclude, type Outcome, type Stage } from './scene.ts';
import { corpus } from './smuggling.ts';

const CLOSED_MS_MAX = 1_000;
/** How long the test waits for a second answer on a connection that stays open. */
const SECOND_ANSWER_MS = 300;
const TOGETHER = 8;

type Heard = Readonly<{ statuses: readonly number[]; closedMs: number | null }>;

export async function smuggle(stage: Stage): Promise<Outcome> {
  await using loan = await borrow(stage, { models: [MODEL] });
  const router = loan.fleet.router(0);
  const { key } = await loan.fleet.office.customer('T13', PICO_PER_USD);
  const { pid } = router.process;
  const { refused, one, two } = corpus(key);
  const faults: string[] = [];
  let slowestMs = 0;
  let unanswered = 0;

  const both = await send(router.origin, two);
  if (both.statuses.join() !== '200,200') faults.push(`two requests got ${both.statuses.join()}`);
  await inTurn(Object.entries(refused), async ([name, text]) => {
    const { statuses, closedMs } = await send(router.origin, text);
    // A request with a broken body may be cut without an answer.
    const [status = 400] = statuses;
    if (statuses.length > 1 || status < 400 || status >= 500) {
      faults.push(`${name}: ${statuses.join()}`);
    }
    unanswered += statuses.length === 0 ? 1 : 0;
    if (closedMs === null) faults.push(`${name}: the connection is still open`);
    slowestMs = Math.max(slowestMs, closedMs ?? 0);
  });
  await inTurn(Object.entries(one), async ([name, text]) => {
    const { statuses } = await send(router.origin, text);
    if (statuses.length !== 1) faults.push(`${name}: ${statuses.length} answers`);
  });

  const prompt = 'Write exactly 5 tokens.';
  const to = { base: router.base, key, model: MODEL, prompt, maxTokens: 10 };
  const honest = await loan.fleet.log.ask(to);
  if (honest.ending !== 'complete') faults.push(`an honest request was ${honest.ending}`);
  if (!router.process.isRunning || router.process.pid !== pid) faults.push('the router has ended');
  const figures = {
    'not served': Object.keys(refused).length,
    'of them cut': unanswered,
    'closed after ms at most': Math.round(slowestMs),
    'answered once': Object.keys(one).length,
  };
  return await conclude(loan, { crashes: false }, figures, faults);
}

async function inTurn<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const hand = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: TOGETHER }, hand));
}

/**
 * Sends the bytes unchanged. Collects answers until the connection closes or nothing more arrives.
 */
async function send(origin: string, text: string): Promise<Heard> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let heard = '';
  socket.on('error', () => {});
  socket.on('data', (data) => {
    heard += data.toString('latin1');
  });
  const start = performance.now();
  const closed = new Promise<number>((resolve) => {
    socket.on('end', () => resolve(performance.now() - start));
    socket.on('close', () => resolve(performance.now() - start));
  });
  socket.write(Buffer.from(text, 'latin1'));
  const closedMs = await Promise.race([closed, pause(CLOSED_MS_MAX, null)]);
  if (closedMs === null) await pause(SECOND_ANSWER_MS);
  socket.destroy();
  const statuses = [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  return { statuses, closedMs };
}
