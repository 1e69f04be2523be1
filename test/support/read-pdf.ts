/** Reads the text of a PDF with a library other than the one that writes it. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Returns the text of each page, its pieces separated by line feeds. */
export async function readPdf(data: Uint8Array): Promise<string[]> {
  // The library takes the memory of what it reads.
  const pdf = await getDocument({ data: Uint8Array.from(data), verbosity: 0 }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join('\n'));
  }
  await pdf.loadingTask.destroy();
  return pages;
}
