/** Reads the text of a PDF with a library other than the one that writes it. */
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Where a piece of text begins, from the left and from the top of its page, in points. */
export type PlacedText = Readonly<{ glyphs: string; x: number; y: number }>;

/**
 * Returns the pieces of text of the first page as they are drawn: each with its glyphs from left to
 * right, whatever the direction of its script.
 */
export async function readPlacedText(data: Uint8Array): Promise<PlacedText[]> {
  const pdf = await getDocument({ data: Uint8Array.from(data), verbosity: 0 }).promise;
  const page = await pdf.getPage(1);
  const { fnArray, argsArray } = await page.getOperatorList();
  await pdf.loadingTask.destroy();
  const placed: PlacedText[] = [];
  let [x, y] = [0, 0];
  for (const [at, operation] of fnArray.entries()) {
    if (operation === OPS.setTextMatrix) {
      const [matrix] = argsArray[at] as [Readonly<Record<number, number>>];
      [x, y] = [matrix[4] ?? 0, (page.view[3] ?? 0) - (matrix[5] ?? 0)];
    } else if (operation === OPS.showText) {
      const [shown] = argsArray[at] as [readonly (number | Readonly<{ unicode: string }>)[]];
      const glyphs = shown.map((glyph) => (typeof glyph === 'number' ? '' : glyph.unicode));
      placed.push({ glyphs: glyphs.join(''), x, y });
    }
  }
  return placed;
}

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
