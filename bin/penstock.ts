/**
 * The command line. Only the commands and flags are here. The code of a command is loaded when it
 * is run, so that help comes at once. Exit status: 0 clean, 1 failed, 2 an error in the usage or
 * the configuration.
 */
import { flushCompileCache } from 'node:module';
import { Command, CommanderError } from 'commander';
import pack from '../package.json' with { type: 'json' };
import { addAdmin } from './admin/commands.ts';
import { describe, statusOf } from './faults.ts';

type Run = (flags: object) => Promise<void>;

const program = new Command('penstock')
  .description('Turns GPU hosts into a prepaid, metered, OpenAI-compatible inference service.')
  .version(pack.version)
  // Set before any command is added, because commands inherit it.
  .exitOverride()
  .showHelpAfterError('(--help says more)');

program
  .command('up')
  .description('everything on one machine: router, agent, simulated engine, SQLite')
  .option('--port <N>', 'where to listen; 0 takes free ports throughout (default: 8080)')
  .option('--data <DIR>', 'where its state is kept (default: .penstock)')
  .option('--store <URL>', 'postgres://… instead of a file of SQLite in the data folder')
  .option('--catalog <FILE>', 'the models to serve (default: the shipped ones)')
  .option('--engine <URL>', 'a real engine instead of the simulated one')
  .option(
    '--settings <FILE>',
    "settings of the router, as in configs/router.yaml, that go before up's own",
  )
  .option('--regions', 'three listeners, global, us and eu, with two simulated hosts each')
  .option('--ready-file <FILE>', 'written once requests are served: addresses, and the first keys')
  .action(lazily(async () => (await import('./up-flags.ts')).upWithFlags));

program
  .command('router')
  .description('one router')
  .option('--config <FILE>', 'its configuration, see configs/router.yaml')
  .option('--port <N>', 'instead of the port of the first listener')
  .option('--check', 'check the configuration and exit')
  .action(lazily(async () => (await import('./router.ts')).router));

program
  .command('agent')
  .description('one agent, beside an engine')
  .option('--config <FILE>', 'its configuration, see configs/agent.yaml')
  .option('--check', 'check the configuration and exit')
  .action(lazily(async () => (await import('./agent.ts')).agent));

program
  .command('host', { hidden: true })
  .option('--config <FILE>', 'as `penstock up --regions` writes it')
  .action(lazily(async () => (await import('./host.ts')).host));

program
  .command('sim')
  .description('the simulated engine; its faults are switched over /sim/faults')
  .option('--port <N>', 'where to listen; 0 takes a free one (default: 9000)')
  .option('--model <NAME...>', 'the models to serve (default: the whole catalog)')
  .option('--catalog <FILE>', 'the catalog whose models it serves')
  .option('--dialect <NAME>', 'the engine to speak as: vllm, sglang or llamacpp (default: vllm)')
  .option('--token-ms <MS>', 'a decode step (default: 10)')
  .option('--prefill-us <US>', 'a prefill token (default: 50)')
  .option('--kv-blocks <N>', 'KV cache, in blocks of 16 tokens')
  .option('--max-running <N>', 'requests decoding at once')
  .option('--max-queued <N>', 'requests waiting; one more is a 503')
  .option('--tokens-per-chunk <N>', 'as speculative decoding would (default: 1)')
  .option('--seed <N>', 'of its texts (default: 0)')
  .option('--no-prompt-tokens-details', 'vLLM without cached tokens in its usage')
  .option('--kv-events-endpoint <URL>', 'publish KV events as vLLM does, at tcp://127.0.0.1:PORT')
  .option('--kv-events-form <FORM>', 'map, or array as older ones (default: map)')
  .option('--enable-cache-report', 'SGLang with cached tokens in its usage')
  .option('--no-metrics', 'SGLang or llama.cpp without a page of metrics')
  .option('--load-seconds <S>', 'how long its model takes to load (default: 0)')
  .option('--poison <TEXT>', 'a prompt that contains this kills the process')
  .action(lazily(async () => (await import('./sim.ts')).sim));

program
  .command('bench')
  .description('load on an OpenAI-compatible URL, or on a private service of its own')
  .option('--url <BASE>', 'ending in /v1 (default: a private service is started)')
  .option('--key <KEY>', 'the API key for it')
  .option('--metrics-url <URL>', "the router's metrics, for its CPU")
  .option('--store <URL>', 'of the private service: postgres://… instead of SQLite')
  .option('--model <ID>', 'the model to ask')
  .option('--trace <FILE>', 'arrivals and lengths: Mooncake JSON lines or Azure CSV, gzip or not')
  .option('--speed <N>', 'how many times faster than the trace (default: 10)')
  .option('--requests <N>', 'how many (default: the whole trace, or 500)')
  .option('--per-second <N>', 'arrivals without a trace (default: 20)')
  .option('--prompt-tokens <N>', 'without a trace (default: 1000)')
  .option('--completion-tokens <N>', 'without a trace (default: 200)')
  .option('--concurrency <N>', 'at most so many at once (default: 1000)')
  .option('--json', 'print the report as JSON')
  .action(lazily(async () => (await import('./bench-flags.ts')).benchWithFlags));

program
  .command('ledger')
  .description('the books')
  .command('verify')
  .description('derive every balance again; exit status 1 on any difference')
  .option('--data <DIR>', 'the folder of `penstock up` (default: .penstock)')
  .option('--store <URL>', 'sqlite:PATH or postgres://…')
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./ledger.ts')).ledgerVerify));

program
  .command('top')
  .description('the fleet, live; needs PENSTOCK_OPERATOR_TOKEN')
  .option('--url <ORIGIN>', 'where the router is; http://127.0.0.1:8080 if not given')
  .option('--once', 'print one table and exit, as where there is no terminal')
  .option('--json', 'print it as JSON')
  .action(lazily(async () => (await import('./top/top.ts')).top));

program
  .command('fleet')
  .description('what all routers of a store have in common')
  .command('settings')
  .description('compare a configuration and its secrets with those of the fleet')
  .option('--config <FILE>', 'the configuration of a router')
  .option(
    '--accept',
    "make it the fleet's: routers with another are refused at their next start. Stop all routers before you change " +
      'holdTtlMs or cacheSalt',
  )
  .action(lazily(async () => (await import('./fleet.ts')).fleetSettings));

const STORE = ['--store <URL>', 'sqlite:PATH or postgres://…'] as const;
const SECRETS = ['--secrets <FILE>', 'the secrets file of its routers'] as const;
const OPERATOR = ['--email <ADDRESS>', "the operator's email address"] as const;
const operator = program
  .command('operator')
  .description('operators of the platform, on the store itself; on SQLite while no router runs');
operator
  .command('create')
  .description('make an operator; the password and the token are shown this once')
  .option(...STORE)
  .option(...SECRETS)
  .option(...OPERATOR)
  .option('--name <TEXT>', 'their name')
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./operator.ts')).create));
operator
  .command('list')
  .description('the operators')
  .option(...STORE)
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./operator.ts')).list));
operator
  .command('revoke')
  .description('make somebody an operator no more; the last one stays')
  .option(...STORE)
  .option(...SECRETS)
  .option(...OPERATOR)
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./operator.ts')).revoke));
operator
  .command('rotate-token')
  .description("replace an operator's token; the new one is shown this once")
  .option(...STORE)
  .option(...SECRETS)
  .option(...OPERATOR)
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./operator.ts')).rotateToken));

const secrets = program.command('secrets').description('the secrets of an installation');
secrets
  .command('rotate-pepper')
  .description('put a new pepper before the others; see docs/secrets.md for what comes after')
  .option(...SECRETS)
  .action(lazily(async () => (await import('./secrets.ts')).rotatePepper));
secrets
  .command('status')
  .description('what is still digested under which pepper')
  .option(...STORE)
  .option(...SECRETS)
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./secrets.ts')).status));

addAdmin(program);

function lazily(load: () => Promise<Run>): Run {
  return async (flags) => {
    const run = await load();
    // Node writes the compile cache when a process exits, but not when it is killed.
    flushCompileCache();
    await run(flags);
  };
}

async function main(): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = statusOf(error);
    // Commander has already printed what is wrong. Help and version also end with this error.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else process.stderr.write(`penstock: ${describe(error)}\n`);
  }
}

// The debugger is disabled (see bin/penstock). Without a listener, SIGUSR1 would end the process.
process.on('SIGUSR1', () => {});
// The reader of the output may have closed it (`| head`), which is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  // The terminal is gone. SIGHUP reports that as well, and running work is finished first.
  if (error.code === 'EIO') return;
  throw error;
});
await main();
