/** Answers requests for the metrics page. Requests at the same time share one reading. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CONTENT_TYPES, formatFor, type MetricsPage, writePages } from './page.ts';

/** `read` returns the metrics of each process. */
export function answerScrapes(
  read: () => Promise<readonly MetricsPage[]>,
): (request: IncomingMessage, response: ServerResponse) => void {
  let reading: Promise<readonly MetricsPage[]> | null = null;
  return (request, response) => {
    const format = formatFor(request.headers.accept);
    reading ??= read().finally(() => {
      reading = null;
    });
    reading.then(
      (pages) =>
        response
          .writeHead(200, { 'content-type': CONTENT_TYPES[format] })
          .end(writePages(pages, format)),
      () => response.writeHead(500).end(),
    );
  };
}
