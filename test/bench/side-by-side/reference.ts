/** The reference as a gateway of the comparison. */
import { BenchProcess } from './bench-process.ts';
import { type GatewayKind, PEER_KEY, untilAnswering } from './gateway.ts';
import { ENGINE_MODEL } from './model.ts';

export const reference: GatewayKind = {
  name: 'node:http',
  carries: 'one key',
  isCompiledLate: true,
  version: process.versions.node,
  async start(engineUrl, signal) {
    const file = new URL('./pass-through.ts', import.meta.url);
    const proxy = await BenchProcess.start(file, ['--engine', engineUrl], signal);
    const facts = { url: proxy.url, key: PEER_KEY, model: ENGINE_MODEL };
    const stop = () => proxy[Symbol.asyncDispose]();
    await untilAnswering(facts);
    return { ...facts, parts: { proxy: [proxy.pid] }, [Symbol.asyncDispose]: stop };
  },
};
