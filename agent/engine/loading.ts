/**
 * Reads an engine's loading progress from the lines that it prints. Only known phrases and a number
 * are passed on, never a line itself, because an engine prints its own keys and, later, the prompts
 * of customers.
 */

type Stage = readonly [seen: RegExp, words: string];

/** The more specific patterns come first. A captured number is a percentage. */
const STAGES: readonly Stage[] = [
  [/(?:fetching|downloading)\b.*?(?:(\d{1,3})%|$)/i, 'its model is being downloaded'],
  [/loading\b.*?\bshards?\b.*?(?:(\d{1,3})%|$)/i, 'its weights are being loaded'],
  [/captur\w*\b.*?\bgraphs?\b.*?(?:(\d{1,3})%|$)/i, 'its CUDA graphs are being captured'],
  [/\b(?:load weight begin|llama_model_loader|load_tensors)\b/i, 'its weights are being loaded'],
  [/\b(?:loading weights took|load weight end)\b/i, 'its weights are loaded'],
  [/\b(?:torch\.compile|compiling|dynamo)\b/i, 'its kernels are being compiled'],
  [/\bkv cache (?:size|is allocated)|llama_kv_cache/i, 'its KV cache is being allocated'],
  [/\bwarm(?:ing)?[ -]?up\b/i, 'it is warming up'],
  [/application startup complete|server is listening|fired up and ready/i, 'it starts to serve'],
];

export type Loading = Readonly<{ words: string; percent: number | null }>;

/** Returns the loading progress that a line shows, or null. */
export function loadingOf(line: string): Loading | null {
  for (const [seen, words] of STAGES) {
    const match = seen.exec(line);
    if (!match) continue;
    const percent = match[1] === undefined ? null : Math.min(100, Number(match[1]));
    return { words, percent };
  }
  return null;
}

export function wordsOf({ words, percent }: Loading): string {
  return percent === null ? words : `${words}: ${percent} %`;
}
