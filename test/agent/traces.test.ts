/** The trace context of a request goes to the engine, whether or not the agent has spans. */
import { expect, test } from 'vitest';
import { OtlpReceiver } from '../support/otlp-receiver.ts';
import { HELLO, startRig } from './support/rig.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;

test('without tracing the engine gets the context of the router, and none if there is none', async () => {
  await using rig = await startRig();
  for (const given of [{ traceparent }, {}]) {
    const call = rig.session.open(HELLO, given);
    const ask = (await rig.engine.ask('traceparent' in given ? 1 : 2)).accept();
    expect(ask.headers['traceparent']).toBe(given.traceparent);
    ask.role(10).chunk({ content: 'x' }, [10, 2], 'stop').usage(10, 2).done();
    await call.ended();
  }
});

test('with tracing, the call of the engine is a span in that of the attempt', async () => {
  await using receiver = await OtlpReceiver.start();
  const rig = await startRig({ config: { tracing: { endpoint: receiver.url } } });
  const call = rig.session.open(HELLO, { traceparent });
  const ask = (await rig.engine.ask()).accept();
  rig.clock.advance(150);
  ask.role(10).chunk({ content: 'x' }, [10, 2], 'stop').usage(10, 2).done();
  await call.ended();
  const untraced = rig.session.open(HELLO);
  (await rig.engine.ask(2)).refuse(503);
  await untraced.ended();
  await rig[Symbol.asyncDispose]();
  const [attempt, engine, ...others] = receiver.spans;
  expect(others).toEqual([]);
  expect(attempt).toMatchObject({ traceId: TRACE, parent: 'b7ad6b7169203331', kind: 2 });
  expect(engine).toMatchObject({ traceId: TRACE, parent: attempt?.id, kind: 3, status: 0 });
  expect(ask.headers['traceparent']).toBe(`00-${TRACE}-${engine?.id}-01`);
  expect(attempt?.attributes).toMatchObject({
    'penstock.status': 'stop',
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 2,
  });
});
