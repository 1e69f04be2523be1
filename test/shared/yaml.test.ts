/** Faults of a YAML text have a place, and nothing of the text is in them. */
import { expect, test } from 'vitest';
import { parseYaml } from '../../shared/yaml.ts';

test.each([
  ['store: postgres://penstock:hunter2@db: 5432/x', 'line 1, column 8: a line has a second key'],
  ['a: 1\nhunter2: 1\nhunter2: 2', 'line 3, column 1: a key is given twice'],
  ['a: [1,\nb: hunter2\n', 'line 2, column 1: the indentation does not fit'],
  ['a: "hunter2', 'line 1, column 12: a character is missing'],
  ['a: @hunter2', 'line 1, column 4: a text begins with a reserved character'],
  ['a: "\\hunter2"', 'line 1, column 5: a text in double quotes has an invalid escape'],
  ['a: |hunter2\n x', 'line 1, column 5: a character is not expected here'],
  ['a: 1\nb: *hunter2', 'line 2, column 4: an alias has no anchor before it'],
  ['a: !hunter2 3', 'line 1, column 4: a tag is not known'],
  ['%hunter2\n---\na: 1', 'line 1, column 1: a directive is not known'],
  ['a: 1\n--- hunter2\n', 'line 2, column 1: the file has more than one document'],
  ['\thunter2: 1', 'line 1, column 1: a tab is used as indentation'],
])('%j has a fault: %s', (text, fault) => {
  const parsing = () => parseYaml(text);
  expect(parsing).toThrow(fault);
  expect(parsing).not.toThrow('hunter2');
});

test('all faults are listed, each with its line', () => {
  expect(() => parseYaml('a: 1\na: 2\nb: @x\n')).toThrow(
    /^line 2, column 1: .*\nline 3, column 4: .*$/,
  );
});

test('aliases that repeat values without end are refused', () => {
  const ten = (name: string) => `[${Array.from({ length: 10 }, () => `*${name}`).join()}]`;
  const text = `a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b ${ten('a')}\nc: &c ${ten('b')}\nd: ${ten('c')}\n`;
  expect(() => parseYaml(text)).toThrow('the aliases repeat too many values');
});

test('anchors and aliases have their values', () => {
  expect(parseYaml('a: &a [1]\nb: *a\n')).toEqual({ a: [1], b: [1] });
  expect(parseYaml('')).toBeNull();
});
