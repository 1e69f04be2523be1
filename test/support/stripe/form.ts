/**
 * Parses form bodies and queries into nested objects, as Stripe does:
 * `metadata[payment]=…&line_items[0][quantity]=1`.
 */

export type Params = { [name: string]: string | Params };

export function parseForm(text: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = name.replaceAll(']', '').split('[');
    put(params, [first, ...rest], value);
  }
  return params;
}

function put(into: Params, [name = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const held = into[name];
  const inner = typeof held === 'object' ? held : {};
  into[name] = inner;
  put(inner, rest, value);
}
