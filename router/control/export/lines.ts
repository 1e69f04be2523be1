/**
 * An organization's export, a JSON document a line: read page by page as it is taken, so that neither all of it is in
 * memory nor a snapshot open, however slowly it is read.
 */
import type { OrganizationId } from '../../../shared/ids.ts';
import type { StoreReader } from '../../store/store.ts';
import { isoInstant } from '../api.ts';
import { type ExportedPage, PARTS, readExportPage } from './parts.ts';

const PAGE_ROWS = 500;

/** Each piece is some whole lines. The last line says how many there were: without it the export is not whole. */
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
