/** A first request in three languages, ready to paste. `docs/inference/quickstart.md` has the same. */
import type { Model } from '../../../../shared/api/models.ts';
import { picoOf } from '../../format/usd.ts';

export type SnippetParts = Readonly<{
  baseUrl: string;
  model: string;
  /** Null when the key is no longer known: the snippets then read it from the environment. */
  key: string | null;
}>;

/** Stands in place of a base URL that this router does not know. */
export const NO_URL = 'https://BASE-URL/v1';

/** Stands in place of a model where there is none. */
export const NO_MODEL = 'MODEL-ID';

/** The environment variable that snippets without a key read. */
export const KEY_VARIABLE = 'PENSTOCK_API_KEY';

const PROMPT = 'Say hello in one sentence.';
const TOKENS_MAX = 64;

/** Returns the snippets by the name of their language, in the order in which they are shown. */
export function snippets(parts: SnippetParts): Readonly<Record<string, string>> {
  return { curl: curl(parts), Python: python(parts), TypeScript: typeScript(parts) };
}

export function curl({ baseUrl, model, key }: SnippetParts): string {
  const body = `{
    "model": ${JSON.stringify(model)},
    "messages": [{"role": "user", "content": ${JSON.stringify(PROMPT)}}],
    "max_tokens": ${TOKENS_MAX}
  }`;
  return `curl ${inShell(`${baseUrl}/chat/completions`)} \\
  -H "Authorization: Bearer ${key ?? `$${KEY_VARIABLE}`}" \\
  -H "Content-Type: application/json" \\
  -d ${inShell(body)}`;
}

function python({ baseUrl, model, key }: SnippetParts): string {
  const given = key === null ? `os.environ["${KEY_VARIABLE}"]` : JSON.stringify(key);
  return `${key === null ? 'import os\n\n' : ''}from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(baseUrl)},
    api_key=${given},
)

completion = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": ${JSON.stringify(PROMPT)}}],
    max_tokens=${TOKENS_MAX},
)
print(completion.choices[0].message.content)`;
}

function typeScript({ baseUrl, model, key }: SnippetParts): string {
  const given = key === null ? `process.env.${KEY_VARIABLE}` : JSON.stringify(key);
  return `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${JSON.stringify(baseUrl)},
  apiKey: ${given},
});

const completion = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: "user", content: ${JSON.stringify(PROMPT)} }],
  max_tokens: ${TOKENS_MAX},
});
console.log(completion.choices[0]?.message.content);`;
}

/** Quotes `text`, where needed, as one word of a shell command. */
export function inShell(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns the id of the model for a first request. */
export function exampleModel(models: readonly Model[]): string | null {
  return cheapest(models)?.id ?? null;
}

/**
 * Returns the cheapest model that is available now, so that a trial costs next to nothing. When no
 * model is available, returns the cheapest of all; null when there are no models.
 */
export function cheapest(models: readonly Model[]): Model | null {
  const served = models.filter(({ available }) => available);
  const [first] = (served.length > 0 ? served : models).toSorted((a, b) => {
    const difference = costOf(a) - costOf(b);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  });
  return first ?? null;
}

function costOf({ billed }: Model): bigint {
  return picoOf(billed.prompt) + picoOf(billed.completion);
}
