/**
 * A document as a PDF. It is made each time that it is requested, and never stored. A name may
 * contain any character: a text that the dashboard's font cannot show is drawn in one that knows more
 * scripts. A character that this lacks, too, is shown as a box, which the document then explains.
 */
import { SERVICE_NAME } from '../../../shared/service-name.ts';
import {
  linesOf,
  type PrintedDocument,
  type PrintedLine,
  sellerLines,
} from '../../../shared/documents/document.ts';
import { withoutFill } from '../../../shared/documents/words.ts';
import { drawLogo } from './draw-logo.ts';
import { FIGURES, type Font, hasCharacter, INTER, MORE_SCRIPTS, TEXT } from './faces.ts';
import { breakLines, directionsOf, type Piece, visualOrder } from './visual-order.ts';

/** More lines than this are left out, and counted: the CSV has them all. */
const LINES_MAX = 200;
/** Letter paper is shorter than A4, and A4 is narrower: what keeps these margins prints on both. */
const MARGINS = { top: 50, left: 50, right: 50, bottom: 100 };
const SIZE = 9;
const GAP = 8;
/** The widths that columns of amounts and of other figures have at most. */
const AMOUNT_WIDTH = 110;
/** The totals stand in the right part of the page, so that a name is near its amount. */
const TOTALS_WIDTH = 300;
const FIGURE_WIDTH = 74;
const GREY = '#666666';
const RULE = '#c4c4c4';
const LOGO_SIZE = 22;
const BOX = '\u25a1';
const EXPLAINED = `${BOX} stands for a character that this file cannot show. The web page of this document shows it.`;

/**
 * Runs on the thread of `drawings.ts`. `issued` is the date of the file, so that a document is the
 * same file each time.
 */
export async function writePdf(document: PrintedDocument, issued: number): Promise<Uint8Array> {
  // Loaded when the first PDF is requested, because the library and its fonts take some megabytes.
  const { default: Pdfkit } = await import('pdfkit');
  const date = new Date(issued);
  const title = `${document.title} ${document.number}`;
  const info = { Title: title, CreationDate: date, ModDate: date, Producer: SERVICE_NAME };
  const pdf = new Pdfkit({ size: 'A4', margins: MARGINS, font: INTER.regular, lang: 'en', info });
  const chunks: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Uint8Array) => void chunks.push(chunk));
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  new Sheet(pdf).draw(title, document);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

type Style = Readonly<{
  bold?: boolean;
  size?: number;
  grey?: boolean;
  /** So many of the first texts are grey. */
  greys?: number;
  /** How far from the left margin it begins. */
  indent?: number;
}>;

/** The document as it is drawn, from the top to the bottom. */
class Sheet {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #width: number;
  #lacksCharacters = false;

  constructor(pdf: PDFKit.PDFDocument) {
    this.#pdf = pdf;
    this.#width = pdf.page.width - MARGINS.left - MARGINS.right;
  }

  draw(title: string, document: PrintedDocument): void {
    const { status, seller, buyer, columns, lines, sum, totals, payment = [] } = document;
    this.#service();
    if (document.isTest) this.#text('This is a test. No money moved.', { bold: true });
    this.#text(title, { bold: true, size: 1.5 * SIZE });
    this.#text(status.name, { grey: true });
    if (document.headline !== undefined) {
      this.#space();
      this.#text(document.headline, { bold: true, size: 2 * SIZE });
    }
    this.#space(2);
    this.#pair('Seller', 'Billed to', { grey: true });
    const contact = document.contact === null ? [] : [`Contact: ${document.contact}`];
    const [sellerName = '', ...sellerMore] = [...sellerLines(document), ...contact];
    const [buyerName = '', ...buyerMore] = linesOf(buyer);
    this.#pair(sellerName, buyerName, { bold: true });
    if (sellerMore.length + buyerMore.length > 0) {
      this.#pair(sellerMore.join('\n'), buyerMore.join('\n'));
    }
    this.#space();
    this.#rule();
    this.#space();
    for (const [name, value] of document.facts) this.#fact(name, value);
    this.#space();
    const drawn = lines.slice(0, LINES_MAX);
    // Among many, a head of two words has two lines, which leaves the room to the descriptions.
    const heads = columns.map((head) => (columns.length > 3 ? head.replace(' ', '\n') : head));
    const widths = this.#figureWidths(heads, sum === undefined ? drawn : [...drawn, sum]);
    for (const row of [0, 1]) {
      const words = heads.map((head) => head.split('\n')[row] ?? '');
      if (words.some((word) => word !== '')) this.#cells(words, widths, { grey: true });
    }
    this.#rule();
    for (const line of drawn) this.#line(line, widths);
    const left = lines.length - LINES_MAX;
    if (left > 0) this.#text(`… and ${left} more lines, which the CSV of this document has.`);
    this.#rule();
    if (sum !== undefined) {
      this.#line(sum, widths, { bold: true });
      this.#rule();
    }
    this.#totals(totals);
    this.#space();
    if (payment.length > 0) {
      this.#text('How to pay', { bold: true, size: 1.25 * SIZE });
      this.#text(payment.join('\n'));
      this.#space();
    }
    if (document.explanation !== undefined) this.#text(document.explanation, { grey: true });
    if (seller && seller.note !== '') this.#text(seller.note);
    if (this.#lacksCharacters) this.#text(EXPLAINED, { grey: true });
  }

  /** The logo and the name of the service, as on the page of the document. */
  #service(): void {
    const pdf = this.#pdf;
    const top = pdf.y;
    drawLogo(pdf, { left: MARGINS.left, top, size: LOGO_SIZE });
    pdf.y = top + (LOGO_SIZE - SIZE) / 2 - 2;
    const indent = LOGO_SIZE + GAP;
    this.#cells(['', SERVICE_NAME], [indent, this.#width - indent], { bold: true }, 'left');
    pdf.y = top + LOGO_SIZE + 2 * SIZE;
  }

  /** Two texts side by side, each in a half of the page. */
  #pair(left: string, right: string, style: Style = {}): void {
    const half = this.#width / 2;
    this.#cells([left, right], [half, half], style, 'left');
  }

  #text(text: string, style: Style = {}): void {
    this.#cells([text], [this.#width], style);
  }

  /** A name at the left, and its value beside it. */
  #fact(name: string, value: string): void {
    const indent = 100;
    const widths = [indent, this.#width - indent];
    this.#cells([name, value], widths, { greys: 1 }, 'left');
  }

  #totals(totals: PrintedDocument['totals']): void {
    const indent = this.#width - TOTALS_WIDTH;
    const widths = [TOTALS_WIDTH - AMOUNT_WIDTH, AMOUNT_WIDTH];
    for (const [at, line] of totals.entries()) {
      const isLast = at === totals.length - 1;
      if (isLast && at > 0) this.#rule(indent);
      this.#cells(line, widths, { bold: isLast, indent });
    }
  }

  #line(
    { description: [first = '', ...more], cells }: PrintedLine,
    widths: readonly number[],
    style: Style = {},
  ): void {
    this.#cells([first, ...cells], widths, style);
    // No figure is beside them.
    for (const line of more) this.#text(line, { size: SIZE - 2, grey: true });
    this.#pdf.y += 3;
  }

  /**
   * The widths of the columns: of figures as wide as they are, up to a bound beyond which they are
   * written smaller, and of the descriptions what is left. The last figure is an amount of up to
   * twelve decimals.
   */
  #figureWidths(columns: readonly string[], lines: readonly PrintedLine[]): number[] {
    const widths = columns.slice(1).map((head, at) => {
      const isLast = at === columns.length - 2;
      const figures = lines.map(({ cells }) => cells[at] ?? '');
      const widest = Math.max(...[head, ...figures].map((text) => this.#widthOf(text)));
      return Math.min(isLast ? AMOUNT_WIDTH : FIGURE_WIDTH, 1.02 * widest + (isLast ? 0 : GAP));
    });
    return [widths.reduce((left, width) => left - width, this.#width), ...widths];
  }

  /** In bold, as the sum is: a figure that was written smaller would not be below the others. */
  #widthOf(figure: string): number {
    const pdf = this.#pdf.font(this.#faceOf(figure, true)).fontSize(SIZE);
    return Math.max(...figure.split('\n').map((line) => pdf.widthOfString(line, FIGURES)));
  }

  /** Draws texts side by side, on a new page if they do not fit on this one. */
  #cells(
    given: readonly string[],
    widths: readonly number[],
    { bold = false, size = SIZE, grey = false, greys = 0, indent = 0 }: Style,
    align: 'left' | 'right' = 'right',
  ): void {
    const pdf = this.#pdf;
    const cells: Cell[] = given.map((whole, at) => {
      const face = this.#faceOf(whole, bold);
      pdf.font(face).fontSize(size);
      const text = this.#drawable(whole);
      const width = widths[at] ?? 0;
      const inner = at === given.length - 1 ? width : width - GAP;
      // A figure over two lines would be read as two figures, so a long one is written smaller.
      const isFigure = at > 0 && align === 'right';
      const shrunk = isFigure
        ? inner / Math.max(inner, 1.01 * pdf.widthOfString(text, FIGURES))
        : 1;
      const own = { text, face, isFigure, width, inner, size: size * shrunk };
      const lines = this.#linesInVisualOrder(own);
      return { ...own, align: at === 0 ? 'left' : align, lines };
    });
    const height = Math.max(...cells.map((cell) => this.#heightOf(cell)));
    if (pdf.y + height > pdf.page.height - MARGINS.bottom) pdf.addPage();
    const top = pdf.y;
    let x = MARGINS.left + indent;
    for (const [at, cell] of cells.entries()) {
      pdf.fillColor(grey || at < greys ? GREY : 'black');
      this.#cell(cell, x, top);
      x += cell.width;
    }
    pdf.y = top + height + 3;
  }

  #heightOf({ text, face, isFigure, inner, size, lines }: Cell): number {
    const pdf = this.#pdf.font(face).fontSize(size);
    return lines === null
      ? pdf.heightOfString(text, { width: inner, ...(isFigure ? FIGURES : TEXT) })
      : lines.length * pdf.currentLineHeight(true);
  }

  #cell(
    { text, face, isFigure, inner, size, align, lines }: Cell,
    left: number,
    top: number,
  ): void {
    const pdf = this.#pdf.font(face).fontSize(size);
    if (lines === null) {
      const [own, fill] = isFigure ? withoutFill(text) : [text, ''];
      const width = inner - (fill === '' ? 0 : pdf.widthOfString(fill, FIGURES));
      pdf.text(own, left, top, { width, align, ...(isFigure ? FIGURES : TEXT) });
      return;
    }
    for (const [at, pieces] of lines.entries()) {
      const widths = pieces.map((piece) => pdf.widthOfString(piece.text, TEXT));
      const rest = widths.reduce((space, width) => space - width, inner);
      let x = align === 'left' ? left : left + rest;
      const y = top + at * pdf.currentLineHeight(true);
      for (const [place, piece] of pieces.entries()) {
        if (piece.text.trim() !== '') {
          pdf.text(this.#asLaidOut(piece), x, y, { lineBreak: false, ...TEXT });
        }
        x += widths[place] ?? 0;
      }
    }
  }

  /** Null: everything runs from left to right, and the library can break and draw it by itself. */
  #linesInVisualOrder({
    text,
    face,
    inner,
    size,
  }: Pick<Cell, 'text' | 'face' | 'inner' | 'size'>): Cell['lines'] {
    const paragraphs = text.split('\n');
    if (paragraphs.every((paragraph) => directionsOf(paragraph) === null)) return null;
    const pdf = this.#pdf.font(face).fontSize(size);
    return paragraphs.flatMap((paragraph) => {
      const lines = breakLines(paragraph, (part) => pdf.widthOfString(part, TEXT) <= inner);
      const levels = directionsOf(paragraph);
      return lines.map(([start, end]): Piece[] =>
        levels === null
          ? [{ text: paragraph.slice(start, end), direction: 'ltr' }]
          : visualOrder(paragraph, levels, [start, end]),
      );
    });
  }

  /**
   * The font lays a word out in the direction of its script, and a number or a sign of a script
   * that runs the other way must be given to it backwards.
   */
  #asLaidOut({ text, direction }: Piece): string {
    const laidOut = this.#font().layout(text).direction;
    return laidOut === direction ? text : Array.from(text).toReversed().join('');
  }

  #space(lines = 1): void {
    this.#pdf.y += lines * SIZE;
  }

  #rule(indent = 0): void {
    const pdf = this.#pdf;
    const [start, end] = [MARGINS.left + indent, MARGINS.left + this.#width];
    pdf.moveTo(start, pdf.y).lineTo(end, pdf.y).lineWidth(0.75).stroke(RULE);
    pdf.y += 6;
  }

  /** The first font that has all characters of a text, or else the one with more scripts. */
  #faceOf(text: string, bold: boolean): string {
    const weight = bold ? 'bold' : 'regular';
    this.#pdf.font(INTER[weight]);
    const font = this.#font();
    const isShown = Array.from(text).every((character) => hasCharacter(font, character));
    return isShown ? INTER[weight] : MORE_SCRIPTS[weight];
  }

  /** Puts a box in place of each character that the current font lacks. */
  #drawable(text: string): string {
    const font = this.#font();
    return Array.from(text, (character) => {
      if (hasCharacter(font, character)) return character;
      this.#lacksCharacters = true;
      return BOX;
    }).join('');
  }

  /** The current font. The types of the library leave it out. */
  #font(): Font {
    const { _font: current } = this.#pdf as unknown as { _font: { font: Font } };
    return current.font;
  }
}

/** A text and where it is drawn: `width` with the gap to the next cell, `inner` without it. */
type Cell = Readonly<{
  text: string;
  /** The file of its font. */
  face: string;
  isFigure: boolean;
  width: number;
  inner: number;
  size: number;
  align: 'left' | 'right';
  /** The lines of a text that has right-to-left words; null: see `#linesInVisualOrder`. */
  lines: readonly (readonly Piece[])[] | null;
}>;
