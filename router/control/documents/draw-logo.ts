import { LOGO } from '../logo.ts';
import { LIGHT } from '../palette.ts';

type Place = Readonly<{ left: number; top: number; size: number }>;

/** Draws the logo of the service into a PDF, in points. */
export function drawLogo(pdf: PDFKit.PDFDocument, { left, top, size }: Place): void {
  pdf
    .save()
    .translate(left, top)
    .scale(size / LOGO.units);
  pdf.roundedRect(0, 0, LOGO.units, LOGO.units, LOGO.radius).fill(LIGHT.accent);
  pdf
    .path(LOGO.path)
    .lineWidth(LOGO.stroke)
    .lineCap('round')
    .lineJoin('round')
    .stroke(LIGHT['accent-ink']);
  pdf.restore();
}
