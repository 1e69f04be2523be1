import { expect, test } from 'vitest';
import { parseTraceparent } from '../../../shared/tracing/trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('a traceparent has the ids of trace and span, and whether the trace is sampled', () => {
  const ids = { traceId: TRACE, spanId: SPAN };
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ ...ids, isSampled: true });
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-03`)).toEqual({ ...ids, isSampled: true });
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-00`)).toEqual({ ...ids, isSampled: false });
});

test.each([
  undefined,
  '',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${TRACE}-${SPAN}-01\n`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  'x'.repeat(10_000),
])('a malformed traceparent is as good as none: %s', (header) => {
  expect(parseTraceparent(header)).toBe(null);
});
