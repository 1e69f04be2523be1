/**
 * Requests on whose end two servers may disagree (request smuggling), and other invalid HTTP.
 * `hidden` is placed wherever a server might take the rest of one request for the beginning of
 * another.
 */
const BODY = '{"model":"none","messages":[]}';
const SIZED = `Content-Length: ${BODY.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

export type Corpus = Readonly<{
  /** Each gets at most one error, and the connection is closed. */
  refused: Readonly<Record<string, string>>;
  /** Each is one request whatever its body looks like, and gets one answer. */
  one: Readonly<Record<string, string>>;
  /** Two requests, to prove that the test would see a hidden one. */
  two: string;
}>;

export function corpus(key: string): Corpus {
  const authorization = `Authorization: Bearer ${key}`;
  const hidden = `GET /v1/models HTTP/1.1\r\nHost: a\r\n${authorization}\r\n\r\n`;
  const get = (...lines: string[]) =>
    `GET /v1/models HTTP/1.1\r\n${[authorization, ...lines].join('\r\n')}\r\n\r\n`;
  const post = (lines: readonly string[], body: string) =>
    `POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\n${[authorization, ...lines].join('\r\n')}\r\n\r\n${body}`;
  const line = (text: string) => `${text}\r\nHost: a\r\n${authorization}\r\n\r\n`;
  return {
    refused: {
      'two hosts': get('Host: a', 'Host: b') + hidden,
      'the same host twice': get('Host: a', 'Host: a') + hidden,
      'two hosts, one in capitals': get('host: a', 'HOST: b') + hidden,
      'no host': get() + hidden,
      'both a length and chunks': post([SIZED, CHUNKED], `0\r\n\r\n${hidden}`),
      'both chunks and a length': post([CHUNKED, SIZED], `0\r\n\r\n${hidden}`),
      'chunks in another case, and a length': post([SIZED, 'tRANSFER-eNCODING: CHUNKED'], hidden),
      'an encoding that nobody knows': post(['Transfer-Encoding: xchunked'], CHUNKS + hidden),
      'chunks, and then something else': post(
        ['Transfer-Encoding: chunked, identity'],
        CHUNKS + hidden,
      ),
      'chunks, and on another line something else': post(
        [CHUNKED, 'Transfer-Encoding: identity'],
        CHUNKS + hidden,
      ),
      'a space before the colon': post(['Transfer-Encoding : chunked'], CHUNKS + hidden),
      'an encoding behind a vertical tab': post(
        ['Transfer-Encoding: \u000bchunked'],
        CHUNKS + hidden,
      ),
      'a length before a fold': post([`Content-Length: 0\r\n ${BODY.length}`], BODY + hidden),
      'two lengths': post(['Content-Length: 0', SIZED], BODY + hidden),
      'the same length twice': post([SIZED, SIZED], BODY + hidden),
      'lengths in a list': post([`${SIZED}, ${BODY.length}`], BODY + hidden),
      'a length with a plus': post([`Content-Length: +${BODY.length}`], BODY + hidden),
      'a length below nothing': post(['Content-Length: -1'], BODY + hidden),
      'a length in hexadecimal': post(['Content-Length: 0x1e'], BODY + hidden),
      'a length of nothing at all': post(['Content-Length: '], BODY + hidden),
      'a length in two words': post(['Content-Length: 3 0'], BODY + hidden),
      'a length beyond every number': post([`Content-Length: ${'9'.repeat(40)}`], BODY + hidden),
      'a chunk in decimal disguise': post([CHUNKED], `0x1e\r\n${BODY}\r\n0\r\n\r\n${hidden}`),
      'a chunk below nothing': post([CHUNKED], `-1\r\n${BODY}\r\n0\r\n\r\n${hidden}`),
      'a chunk beyond every number': post(
        [CHUNKED],
        `${'f'.repeat(20)}\r\n${BODY}\r\n0\r\n\r\n${hidden}`,
      ),
      'a chunk that is longer than it says': post([CHUNKED], `2\r\n${BODY}\r\n0\r\n\r\n${hidden}`),
      'a chunk with a bare line feed': post([CHUNKED], `1e\n${BODY}\r\n0\r\n\r\n${hidden}`),
      'a bare line feed in an extension': post(
        [CHUNKED],
        `1e;a\nb\r\n${BODY}\r\n0\r\n\r\n${hidden}`,
      ),
      'a length in the trailers': post(
        [CHUNKED],
        `1e\r\n${BODY}\r\n0\r\nContent-Length: 0\r\n\r\n`,
      ),
      'a header with a NUL': get('Host: a', 'X: a\0b') + hidden,
      'a header with a bare carriage return': get('Host: a', 'X: a\rb') + hidden,
      'a header without a colon': get('Host: a', 'Hello') + hidden,
      'a header whose name has a space': get('Host: a', 'X Y: a') + hidden,
      'a header without a name': get('Host: a', ': a') + hidden,
      'a header that is folded': get('Host: a', 'X: a\r\n b: c') + hidden,
      'a header larger than all may be': get('Host: a', `X: ${'y'.repeat(20_000)}`) + hidden,
      'a version of the past': 'GET /v1/models\r\n\r\n',
      'a version of the future': line('GET /v1/models HTTP/3.7'),
      'a version that is none': line('GET /v1/models HTTP/1.1x'),
      'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'a method in small letters': line('get /v1/models HTTP/1.1'),
      'a method that does not exist': line('STEAL /v1/models HTTP/1.1'),
      'a path with a space': line('GET /v1/ models HTTP/1.1'),
      'a path with a NUL': line('GET /v1/mo\0dels HTTP/1.1'),
      'the beginning of TLS': '\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003',
      'random bytes': '\u0080\u0081\u0082\u0000\u0001\r\n\r\n',
      'an expectation of miracles': get('Host: a', 'Expect: miracles', SIZED) + BODY + hidden,
      'a link without a key': `GET /agent HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${hidden}`,
      'a link of another version': `GET /agent HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 7\r\n\r\n${hidden}`,
    },
    one: {
      'a request in the body of another':
        get('Host: a', `Content-Length: ${hidden.length}`) + hidden,
      'a request in a body with a wrong key': `POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
      'a request in a body for no path': `POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
      'a request in a chunk': post(
        [CHUNKED],
        `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
      ),
      'a path on another host': line('GET http://elsewhere/v1/models HTTP/1.1'),
      'an upgrade to what is not offered': get(
        'Host: a',
        'Connection: Upgrade',
        'Upgrade: websocket',
      ),
    },
    two: get('Host: a') + hidden,
  };
}
