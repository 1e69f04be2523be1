/**
 * Penstock as a gateway of the comparison: all of `penstock up` on SQLite in a new folder, with
 * credit and limits that the load does not reach.
 */
import { execFileSync } from 'node:child_process';
import { Up } from '../../support/up.ts';
import { type GatewayKind, untilAnswering } from './gateway.ts';
import { CATALOG_MODEL } from './model.ts';

export const penstock: GatewayKind = {
  name: 'penstock',
  carries: 'keys, limits, holds, durable charges, routing by prefix',
  isCompiledLate: true,
  version: revision(),
  async start(engineUrl) {
    const up = await Up.start(['--engine', engineUrl]);
    const stop = () => up[Symbol.asyncDispose]();
    try {
      const organization = ['--organization', up.first.organization.id];
      const credit = ['--amount', '1000000', '--reason', 'bench'];
      await up.admin('credit', 'adjust', ...organization, ...credit);
      const limits = ['--requests-per-minute', '100000000', '--concurrent-requests', '100000'];
      const tokens = ['--tokens-per-minute', '1000000000'];
      await up.admin('organization', 'limits', ...organization, ...limits, ...tokens);
      const facts = { url: up.origin, key: up.first.api_key, model: CATALOG_MODEL };
      await untilAnswering(facts);
      const { router, agent } = up.ready.pids;
      const parts = { router: [router], agent: [agent], up: [up.ready.pid] };
      return { ...facts, parts, [Symbol.asyncDispose]: stop };
    } catch (error) {
      await stop();
      throw error;
    }
  },
};

function revision(): string {
  const args = ['describe', '--always', '--dirty', '--exclude', '*'];
  return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}
