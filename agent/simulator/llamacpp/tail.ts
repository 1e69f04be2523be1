/** The members that llama.cpp writes after the choices, on every event of an answer. */
import type { Head } from '../wire/chunks.ts';

export const BUILD = 'b11549-penstock';

export function tailOf(object: string, { id, created, model }: Head): string {
  const [idJson, modelJson] = [JSON.stringify(id), JSON.stringify(model)];
  return (
    `,"created":${created},"id":${idJson},"model":${modelJson},` +
    `"system_fingerprint":"${BUILD}","object":"${object}"`
  );
}
