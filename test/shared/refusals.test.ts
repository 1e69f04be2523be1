import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { REFUSALS, Refusal } from '../../shared/refusals.ts';

function errorsPage(): string {
  const rows = Object.entries(REFUSALS)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(
      ([code, { status, type, retry, message }]) =>
        `| ${status} | \`${code}\` | \`${type}\` | ${retry ? 'yes, with backoff' : 'no'} | ${message} |`,
    );
  return `# Errors

This page is generated from \`shared/refusals.ts\`. \`npm test -- -u\` generates it again.

Every error response, of the data plane and of the management API, has this JSON format. Its \`request_id\` is also in the header \`x-request-id\`:

\`\`\`json
{"error": {"message": "…", "type": "…", "param": "…", "code": "…"}, "request_id": "req_…"}
\`\`\`

\`param\` is the path of the invalid field (\`messages[0].content\`), or null. If the request may succeed later, \`Retry-After\` says after how many seconds. On the data plane, it says 60 at most, \`retry-after-ms\` says the same in milliseconds, and the header \`x-should-retry\` has the column Retry for clients that read it. If the key is known, the header \`link\` has the address of the request's page on the dashboard. A failure after a stream has begun ends the stream without an error object and without \`[DONE]\`. Only the management API answers with 403 or 409. Errors of \`/v1/messages\` have the format of that API instead: \`{"type": "error", "error": {"type": "…", "message": "…", "details": {"error_code": "…"}}, "request_id": "req_…"}\`, with the code in its details, 413 for \`body_too_large\` and 529 for \`overloaded\` and \`no_worker\`.

| Status | \`code\` | \`type\` | Retry | Default message |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

test('docs/errors.md is what the table says', async () => {
  await expect(errorsPage()).toMatchFileSnapshot('../../docs/errors.md');
});

/** Codes of sessions, permissions and payments. */
const MANAGEMENT = [
  'not_signed_in',
  'invalid_token',
  'invalid_credentials',
  'second_factor_required',
  'invalid_passkey',
  'account_locked',
  'changes_not_allowed',
  'forbidden',
  'foreign_origin',
  'conflict',
  'provider_failed',
];

test('docs/inference/errors.md explains every code of the data plane as the table has it', async () => {
  const page = await readFile('docs/inference/errors.md', 'utf8');
  const explained = page.split('\n### ').slice(1);
  const beginnings = Object.entries(REFUSALS)
    .filter(([code]) => !MANAGEMENT.includes(code))
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(
      ([code, { status, retry, message }]) =>
        `\`${code}\`\n\n**${status}**${retry ? ', retry with backoff' : ''}: ${message}\n\n`,
    );
  expect(explained.map((text, nth) => text.slice(0, beginnings[nth]?.length))).toEqual(beginnings);
});

test('the data plane answers with no other status than clients of the API expect', () => {
  const statuses = new Set(Object.values(REFUSALS).map(({ status }) => status));
  for (const status of [403, 409]) statuses.delete(status);
  expect(
    [...statuses].every((status) => [400, 401, 402, 404, 429].includes(status) || status >= 500),
  ).toBe(true);
});

test('an error body has the one shape', () => {
  const refusal = new Refusal('invalid_value', { param: 'stop', message: 'too many' });
  expect(refusal.body('req_1')).toEqual({
    error: {
      message: 'too many',
      type: 'invalid_request_error',
      param: 'stop',
      code: 'invalid_value',
    },
    request_id: 'req_1',
  });
});
