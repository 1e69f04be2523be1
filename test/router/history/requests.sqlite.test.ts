/** What the path of a request adds to the history. */
import { expect, test } from 'vitest';
import { addCell } from '../../../router/history/cells.ts';
import { noFigures } from '../../../router/history/figures.ts';
import { shownFigures } from '../../../router/history/shown.ts';
import { MODEL, RequestRig } from '../request/rig.ts';

/** What was recorded since the last call, by model and worker. */
function takenFrom({ history }: RequestRig) {
  return new Map(
    history.take().map(({ series: { model, agent, worker }, cell }) => {
      const figures = noFigures();
      addCell(figures, cell);
      return [agent === '' ? model : `${agent}/${worker}`, shownFigures(figures, 60)];
    }),
  );
}

test('an answer and a refusal count for the region, the model and the worker', async () => {
  await using rig = await RequestRig.start();
  const customer = await rig.customer(1_000_000_000_000n);
  const { stream, seen } = await rig.begin(customer);
  rig.books.clock.advance(300);
  stream.content(10, 1);
  rig.books.clock.advance(1_000);
  stream.content(10, 21);
  stream.finish(10, 21, { cached: 0 });
  await seen;
  await rig.refused(customer, { model: 'no/such' });
  const all = takenFrom(rig);
  expect([...all.keys()].toSorted()).toEqual(['', 'agt_one/one', MODEL]);
  expect(all.get('')).toMatchObject({ answered: 1, refused: 1, completion_tokens: 21 });
  for (const name of [MODEL, 'agt_one/one']) {
    expect(all.get(name)).toMatchObject({
      answered: 1,
      refused: 0,
      prompt_tokens: 10,
      completion_tokens: 21,
      speed: { p50: expect.closeTo(20, -1) },
    });
    expect(all.get(name)?.ttft_ms?.p50).toBeCloseTo(300, -2);
  }
});
