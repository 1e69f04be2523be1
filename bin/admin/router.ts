/** `penstock admin router …` */
import { type Router, Routers } from '../../shared/api/routers.ts';
import { command, text } from './command.ts';

export const routers = {
  list: command({}, async ({ client, list }) =>
    list(all(client.call('GET', '/routers', Routers)), row),
  ),
};

/** Yields all routers as one page, because the API returns them in one response. */
async function* all(answer: Promise<{ data: Router[] }>): AsyncGenerator<Router[]> {
  yield (await answer).data;
}

function row({ id, url, regions, started, beating }: Router) {
  return {
    id,
    url: text(url),
    regions: regions.join(', '),
    started,
    state: beating ? 'live' : 'dead',
  };
}
