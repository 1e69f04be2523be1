/** Sample rows of the table of workers. */
import type { Row } from '../../../bin/top/reading.ts';

export function row(fields: Partial<Row> = {}): Row {
  return {
    id: 'agt_1/engine',
    name: 'gpu-1/engine',
    region: 'global',
    phase: 'ready',
    running: 0,
    waiting: 0,
    inFlight: 0,
    kvUse: 0,
    looked: 0,
    found: 0,
    tokensPerSecond: 0,
    gpuUse: null,
    version: '0.1.0',
    models: ['a/b'],
    notes: [],
    ...fields,
  };
}
