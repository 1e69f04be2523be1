/**
 * An organization's export as NDJSON. Each page is read only when the client needs it, so that a
 * slow client neither fills memory nor keeps a database snapshot open.
 */
import type { OrganizationId } from '../../../shared/ids.ts';
import type { StoreReader } from '../../store/store.ts';
import { isoInstant } from '../api.ts';
import { PARTS } from './parts.ts';
import { type ExportedPage, readExportPage } from './read-page.ts';

const PAGE_ROWS = 500;

/**
 * Each piece is one or more whole lines. The last line has the number of lines; an export without
 * it is incomplete.
 */
export async function* exportLines(
  store: Pick<StoreReader, 'call'>,
  { organization, now }: Readonly<{ organization: OrganizationId; now: number }>,
): AsyncGenerator<string, void, void> {
  yield line({ type: 'export', format: 1, organization, created: isoInstant(now) });
  let lines = 1;
  for (const part of Object.keys(PARTS)) {
    let after: string | null = null;
    do {
      const page: ExportedPage = await store.call(readExportPage, {
        organization,
        part,
        after,
        until: now,
        limit: PAGE_ROWS,
      });
      const { rows } = page;
      if (rows.length > 0) yield rows.map((row) => line({ type: part, ...row })).join('');
      lines += rows.length;
      after = page.next;
    } while (after !== null);
  }
  yield line({ type: 'end', lines: lines + 1 });
}

function line(document: object): string {
  return `${JSON.stringify(document)}\n`;
}
