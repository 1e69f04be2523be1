import { describe, expect, test } from 'vitest';
import { ResponseParser } from './http-response.ts';

const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' +
  '5\r\nhello\r\n1;name=value\r\n \r\n5\r\nworld\r\n0\r\n\r\n';
const SIZED = 'HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nhello';

function parsed(pieces: readonly string[]): { body: string; status: number; whole: boolean[] } {
  let body = '';
  const parser = new ResponseParser((text) => {
    body += text;
  });
  const whole = pieces.map((piece) => parser.feed(piece));
  return { body, status: parser.status, whole };
}

describe('a response', () => {
  test.each([
    ['chunked', CHUNKED, 200, 'hello world'],
    ['of a given length', SIZED, 404, 'hello'],
  ])('that is %s is read alike wherever it is split', (_, text, status, body) => {
    for (let at = 1; at < text.length; at++) {
      const told = parsed([text.slice(0, at), text.slice(at)]);
      expect(told).toEqual({ body, status, whole: [false, true] });
    }
    expect(parsed(text.split(''))).toMatchObject({ body, status });
  });

  test('without a body is whole with its head', () => {
    expect(parsed(['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n']).whole).toEqual([true]);
  });

  test('that is cut off is not whole', () => {
    expect(parsed([CHUNKED.slice(0, -2)]).whole).toEqual([false]);
    expect(parsed([SIZED.slice(0, -1)]).whole).toEqual([false]);
  });

  test.each([
    ['without a length', 'HTTP/1.1 200 OK\r\n\r\n'],
    ['of another protocol', 'HTTP/1.0 200 OK\r\n\r\n'],
    ['with bytes after its end', `${SIZED}!`],
    ['with a chunk that has no size', CHUNKED.replace('5\r\n', 'x\r\n')],
    ['with a chunk that is longer than its size', CHUNKED.replace('5\r\n', '4\r\n')],
  ])('%s is an error', (_, text) => {
    expect(() => parsed([text])).toThrow(Error);
  });
});
