/** How an error crosses threads, where its class would be lost. */
import { ConstraintViolated, StoreUnavailable } from '../errors.ts';

export type Failure = Readonly<{
  kind: 'unavailable' | 'unique' | 'constraint' | 'thrown';
  message: string;
  stack: string | undefined;
}>;

/** Describes an error of the store's own classes, or any other. */
export function failureOf(error: unknown): Failure {
  const isError = error instanceof Error;
  return {
    kind: kindOf(error),
    message: isError ? error.message : String(error),
    stack: isError ? error.stack : undefined,
  };
}

function kindOf(error: unknown): Failure['kind'] {
  if (error instanceof StoreUnavailable) return 'unavailable';
  if (!(error instanceof ConstraintViolated)) return 'thrown';
  return error.kind === 'unique' ? 'unique' : 'constraint';
}

export function errorOf(failure: Failure): Error {
  const error =
    failure.kind === 'unavailable'
      ? new StoreUnavailable(failure.message)
      : failure.kind === 'thrown'
        ? new Error(failure.message)
        : new ConstraintViolated(failure.message, failure.kind === 'unique' ? 'unique' : 'other');
  if (failure.stack !== undefined) error.stack = failure.stack;
  return error;
}
