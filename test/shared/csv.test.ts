import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRecord } from '../../shared/csv.ts';

/** Parses one record according to RFC 4180. */
function read(record: string): string[] {
  const fields: string[] = [];
  let rest = record;
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const [whole, text = ''] = quoted ?? /^([^",\r\n]*)/.exec(rest) ?? [''];
    fields.push(quoted ? text.replaceAll('""', '"') : text);
    rest = rest.slice(whole.length);
    if (rest === '\r\n') return fields;
    expect(rest[0]).toBe(',');
    rest = rest.slice(1);
  }
}

test('a record reads back as its fields, whatever they hold', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', '=', '@', 'é') });
  const property = fc.property(fc.array(field, { minLength: 1 }), (fields) => {
    const back = read(csvRecord(fields));
    expect(back).toHaveLength(fields.length);
    back.forEach((text, i) => expect([fields[i], `'${fields[i]}`]).toContain(text));
  });
  fc.assert(property);
});

test('what a spreadsheet would run is shown as text', () => {
  for (const text of ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1']) {
    expect(read(csvRecord([text]))).toEqual([`'${text}`]);
  }
});

test('names, days and numbers stay what they are', () => {
  const fields = ['gpu-1', '2026-11-21', '0.000000000042', '-2.5', 'qwen/qwen3', ''];
  expect(csvRecord(fields)).toBe(`${fields.join(',')}\r\n`);
});
