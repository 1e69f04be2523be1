/**
 * A text as a QR code: dark on light in both themes, because not every camera reads inverted codes.
 */
import { encode } from 'uqr';

/** The width of the quiet zone around the code, which QR readers require. */
const QUIET_MODULES = 4;

export function QrCode({ text, label }: Readonly<{ text: string; label: string }>) {
  const { data, size } = encode(text, { border: QUIET_MODULES });
  const dark = data
    .flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 rounded-lg border bg-white"
    >
      <path d={dark} className="fill-black" />
    </svg>
  );
}
