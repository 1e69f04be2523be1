/** Ends a switch over a union. The compiler proves that this call is not reached. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
