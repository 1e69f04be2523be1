/** A text as a QR code: dark on light in either theme, since not every camera reads the other way around. */
import { encode } from 'uqr';

/** Around it, as readers want. */
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
