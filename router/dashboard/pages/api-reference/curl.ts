/** The example request of an operation. */
import { BASE, type Operation } from './operations.ts';

export type Caller = Readonly<{
  /** Where the reader reaches the API, without `/api/v1`. */
  origin: string;
  /** The id of the reader's organization, or a placeholder. */
  organization: string;
}>;

/** The file in which curl keeps the cookie of a session. */
const JAR = 'session.txt';
/** These set the cookie of a session. */
const BEGIN_SESSION = ['beginSession', 'signPersonUp'];
/** What a document is saved as. */
const FILES: Readonly<Record<string, string>> = {
  'application/pdf': 'document.pdf',
  'text/html': 'document.html',
  'application/x-ndjson': 'export.ndjson',
};

export function curlOf(operation: Operation, caller: Caller): string {
  const { method, body } = operation;
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${addressOf(operation, caller)}`,
    ...credentialsOf(operation, caller),
    ...(operation.parameters.some(({ name }) => name === 'idempotency-key')
      ? ['-H "Idempotency-Key: $(uuidgen)"']
      : []),
    ...(body
      ? [
          "-H 'Content-Type: application/json'",
          `-d ${quoted(JSON.stringify(body.example, null, 2))}`,
        ]
      : []),
    ...outputOf(operation),
  ];
  return parts.join(' \\\n  ');
}

function addressOf({ path, parameters }: Operation, { origin, organization }: Caller): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find((one) => one.in === 'path' && one.name === name)?.example;
    return name === 'organization' ? organization : typeof example === 'string' ? example : name;
  });
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name, example }): [string, string] => [name, String([example].flat()[0])]);
  const search = new URLSearchParams(query).toString();
  const address = `${origin}${BASE}${filled}`;
  return search === '' ? address : `"${address}?${search}"`;
}

/** Operations on one's own account need the session of a person, whom no management token is. */
function credentialsOf({ id, permission, method }: Operation, { origin }: Caller): string[] {
  const jar = BEGIN_SESSION.includes(id) ? [`-c ${JAR}`] : [];
  const own = method === 'GET' ? [] : [`-H 'Origin: ${origin}'`];
  if (permission === 'public') return jar.length === 0 ? [] : [...jar, ...own];
  if (permission === 'person') return [`-b ${JAR}`, ...own];
  return ['-H "Authorization: Bearer $PENSTOCK_TOKEN"'];
}

function outputOf({ responses }: Operation): string[] {
  const [type = 'application/json'] = Object.keys(responses[0]?.content ?? {});
  const file = FILES[type];
  return file === undefined ? [] : [`-o ${file}`];
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
