/** `penstock admin router …` */
import { type Router, Routers } from '../../shared/api/routers.ts';
import { command } from './command.ts';

export const routers = {
  list: command({}, async ({ client, list }) =>
    // The API returns all routers in one response.
    list([(await client.call('GET', '/routers', Routers)).data], row),
  ),
};

function row({ id, url, regions, version = null, started, beating }: Router) {
  const state = beating ? 'live' : 'dead';
  return { id, url, regions: regions.join(', '), version, started, state };
}
