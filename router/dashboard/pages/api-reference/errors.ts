/** The errors of the API, which the document describes once for each status. */
import type { Answer, OpenApi } from './document.ts';

export type ErrorCode = Readonly<{ status: string; code: string; message: string }>;

/** Returns the errors among the responses of an operation, by status. */
export function errorsOf(
  document: OpenApi,
  responses: Readonly<Record<string, Answer>>,
): readonly ErrorCode[] {
  return Object.entries(responses).flatMap(([status, { $ref = '' }]) =>
    codesOf(status, document.components.responses[$ref.split('/').at(-1) ?? '']),
  );
}

/** Returns every error that an operation can have. */
export function everyError(document: OpenApi): readonly ErrorCode[] {
  return Object.entries(document.components.responses).flatMap(([name, answer]) =>
    codesOf(name.replace(/\D+/, ''), answer),
  );
}

function codesOf(status: string, answer: Answer | undefined): readonly ErrorCode[] {
  const examples = answer?.content?.['application/json']?.examples ?? {};
  return Object.entries(examples).map(([code, { value }]) => ({
    status,
    code,
    message: (value as { error: { message: string } }).error.message,
  }));
}
