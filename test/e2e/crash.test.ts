/** T1, first form: the whole process group is killed under load repeatedly, on the same data. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readStream, type Seen } from '../support/sse.ts';
import { Up, until } from '../support/up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const KILLS = 10;
const STREAMS = 50;
/** The holds' time to live and some heartbeats. */
const HOLDS_GONE_MS = 60_000;

test(`MONEY 12, 17: ${KILLS} kills of the whole group under ${STREAMS} streams: every complete answer is charged once, no hold is left`, {
  timeout: 240_000,
}, async () => {
  await using up = await Up.start();
  const seen: Seen[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill > 0) await up.run();
    const streams = Array.from({ length: STREAMS }, (_, index) =>
      stream(up, 10 + ((index * 7) % 60)),
    );
    // A different moment each time, so that some answers are complete, some are being settled, and
    // some still run.
    await until(() => performance.now() % 1 >= 0, 'a turn');
    await pause(150 + kill * 60);
    await up.killAll();
    seen.push(...(await Promise.all(streams)).filter((one) => one !== null));
  }
  await up.run();
  await until(async () => (await up.credit()).held === '0', 'no hold', HOLDS_GONE_MS);

  const rows = await up.usage();
  const complete = seen.filter(({ done }) => done);
  const charges = (id: string | null) => rows.filter((row) => row.request_id === id);
  for (const answer of complete) {
    const [row, ...more] = charges(answer.requestId);
    expect(more).toEqual([]);
    const used = answer.usage;
    const cached = used?.prompt_tokens_details?.cached_tokens ?? 0;
    expect(row).toMatchObject({
      prompt_tokens: used?.prompt_tokens,
      completion_tokens: used?.completion_tokens,
      cached_tokens: cached,
      status: 200,
    });
    expect(Number(row?.cost)).toBe(
      (((used?.prompt_tokens ?? 0) - cached) * 200_000 +
        cached * 50_000 +
        (used?.completion_tokens ?? 0) * 600_000) /
        1e12,
    );
  }
  // The one exception to the rule that failures on our side are free: a kill between the commit and
  // the last bytes (MONEY 17). Such an answer is charged at most once, for what was generated, and
  // is counted here.
  const wasComplete = new Set(complete.map(({ requestId }) => requestId));
  const charged = rows.filter(({ cost }) => cost !== '0');
  const incomplete = charged.filter((row) => !wasComplete.has(row.request_id));
  expect(new Set(charged.map((row) => row.request_id)).size).toBe(charged.length);
  for (const row of incomplete) expect(row).toMatchObject({ status: 200 });
  expect(complete.length).toBeGreaterThan(0);
  expect(seen.length).toBeGreaterThan(complete.length);
  const verified = await up.verify();
  expect(verified.status, verified.output).toBe(0);
  process.stdout.write(
    `T1 (first form): ${KILLS} kills, ${seen.length} answers begun, ${complete.length} complete, each charged once; ` +
      `${incomplete.length} charged that did not come to their end; ${rows.length} usage rows; holds left 0; ledger verify clean\n`,
  );
});

/** Reads one stream to its end. Null if it did not even begin. */
async function stream(up: Up, words: number): Promise<Seen | null> {
  try {
    const response = await up.post('/chat/completions', {
      model: MODEL,
      messages: [{ role: 'user', content: `Write ${words} words.` }],
      stream: true,
      stream_options: { include_usage: true },
    });
    return await readStream(response);
  } catch {
    return null;
  }
}
