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
  const unit = fc.constantFrom('a', '"', ',', ';', '\r', '\n', ' ', '=', '@', 'é');
  const field = fc.string({ unit });
  const property = fc.property(fc.array(field, { minLength: 1 }), (fields) => {
    const back = read(csvRecord(fields));
    expect(back).toHaveLength(fields.length);
    // None of the fields has an apostrophe, so all of them are guards.
    expect(back.map((text) => text.replaceAll("'", ''))).toEqual(fields);
  });
  fc.assert(property);
});

test('what a spreadsheet would run is shown as text', () => {
  for (const text of ['=1+1', '+1+1', '-1+1', '@SUM(A1)', ' =1', '＝1', '"=1']) {
    expect(read(csvRecord([text]))).toEqual([`'${text}`]);
  }
  expect(read(csvRecord(['\t=1', '\ra']))).toEqual(["'\t'=1", "'\ra"]);
});

test('what a spreadsheet would run after it has cut a line at semicolons is shown as text', () => {
  const fields = ['a;=1+1', 'a; -1+1;b', 'a;"=1+1"', 'two\n=1+1', ';@SUM(A1)', 'a;b', 'a-1;b=2'];
  const guarded = ["a;'=1+1", "a;' -1+1;b", `a;'"=1+1"`, "two\n'=1+1", ";'@SUM(A1)"];
  const record = csvRecord(fields);
  expect(read(record)).toEqual([...guarded, 'a;b', 'a-1;b=2']);
  // As Excel cuts it: at each semicolon and line break, with quotes only where a cell begins.
  const cells = record.split(/[;\n]/).map((cell) => cell.trimStart().replace(/^"+/, ''));
  expect(cells.filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
});

test('names, days and numbers stay what they are', () => {
  const fields = ['gpu-1', '2026-11-21', '0.000000000042', '-2.5', 'qwen/qwen3', ''];
  expect(csvRecord(fields)).toBe(`${fields.join(',')}\r\n`);
});
