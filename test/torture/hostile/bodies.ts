/** Request bodies that cost more to read than to send. Each is built once. */

const MIB = 1024 * 1024;

export type Bombs = Readonly<Record<string, () => Buffer>>;

/**
 * `model` must be one that is served, so that only the body itself can be the reason for a refusal.
 */
export function bombs(model: string): Bombs {
  const head = `{"model":${JSON.stringify(model)},"stream":true,`;
  const repeat = (before: string, piece: string, after: string, bytes: number) => {
    const count = Math.floor((bytes - head.length - before.length - after.length) / piece.length);
    return Buffer.from(`${head}${before}${piece.repeat(count).replace(/,$/, '')}${after}}`);
  };
  const user = '{"role":"user","content":"hi"}';
  return once({
    'empty messages of 1 MiB': () => repeat('"messages":[', '{},', ']', MIB),
    'empty messages of 8 MiB': () => repeat('"messages":[', '{},', ']', 8 * MIB),
    'empty messages of 31 MiB': () => repeat('"messages":[', '{},', ']', 31 * MIB),
    'good messages of 8 MiB': () => repeat('"messages":[', `${user},`, ']', 8 * MIB),
    'empty arrays of 31 MiB': () => repeat('"messages":[],"x":[', '[],', ']', 31 * MIB),
    'arrays in arrays': () => repeat('"messages":', '[', ']', 4 * MIB),
    'a million keys': () =>
      Buffer.from(
        `${head}"messages":[${user}],"x":{${Array.from({ length: 1_000_000 }, (_, n) => `"k${n}":0`).join(',')}}}`,
      ),
    'a hundred thousand tools': () =>
      repeat(`"messages":[${user}],"tools":[`, '{"type":"function"},', ']', 2 * MIB),
    'a million stop sequences': () => repeat(`"messages":[${user}],"stop":[`, '"a",', ']', 4 * MIB),
    'a message of a million parts': () =>
      repeat('"messages":[{"role":"user","content":[', '{"type":"text"},', ']}]', 16 * MIB),
    'a string of escapes': () =>
      repeat('"messages":[{"role":"user","content":"', '\\u0041', '"}]', 31 * MIB),
    'nothing but spaces': () => repeat(`"messages":[${user}]`, ' ', '', 31 * MIB),
    'a number of a million digits': () => repeat('"messages":[],"seed":', '9', '', MIB),
    'lone surrogates in the stop sequences': () =>
      Buffer.from(`${head}"messages":[${user}],"stop":["\\ud83d"]}`),
    'a lone surrogate in a message': () =>
      Buffer.from(`${head}"messages":[{"role":"user","content":"\\udc00"}]}`),
    'arguments of a call that are no JSON': () =>
      Buffer.from(
        `${head}"messages":[${user},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",` +
          '"function":{"name":"f","arguments":"{\\"a\\": 1"}}]},{"role":"tool","tool_call_id":"c1","content":"x"}]}',
      ),
    'bytes that are no UTF-8': () =>
      Buffer.concat([
        Buffer.from(`${head}"messages":[{"role":"user","content":"`),
        Buffer.alloc(64 * 1024, 0xff),
        Buffer.from('"}]}'),
      ]),
    'no end': () => repeat('"messages":[', '{"role":"user","content":"x"},', '', MIB),
  });
}

function once(makers: Bombs): Bombs {
  const made = new Map<string, Buffer>();
  return Object.fromEntries(
    Object.entries(makers).map(([name, make]) => [
      name,
      () => {
        const body = made.get(name) ?? make();
        made.set(name, body);
        return body;
      },
    ]),
  );
}
