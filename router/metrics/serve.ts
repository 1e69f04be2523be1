/** Serves the metrics on a separate port that only monitoring can reach. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeUnread } from '../../shared/bounds/stop-parsing.ts';
import { isExpectedHost } from '../../shared/host-names.ts';
import { limits } from '../../shared/limits.ts';
import type { MetricsPage } from '../../shared/metrics/page.ts';
import { answerScrapes } from '../../shared/metrics/scrapes.ts';
import { openPort } from '../../shared/open-port.ts';

export type MetricsServer = AsyncDisposable & Readonly<{ url: string }>;

/** `read` returns the metrics of each process of the router. */
export async function serveMetrics(
  read: () => Promise<readonly MetricsPage[]>,
  at: Readonly<{
    host: string;
    port: number;
    allowedHosts?: readonly string[] | undefined;
  }>,
): Promise<MetricsServer> {
  const { allowedHosts = [] } = at;
  const answer = answerScrapes(read);
  const server = createServer((request, response) => {
    closeUnread(request, response);
    if (!isExpectedHost(request.headers.host, allowedHosts)) {
      return void response.writeHead(403).end('metrics.allowedHosts does not list this Host\n');
    }
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    answer(request, response);
  });
  server.maxConnections = limits.metricsConnectionsMax;
  await openPort(server, at, 'metrics');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${at.host}:${port}/metrics`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
