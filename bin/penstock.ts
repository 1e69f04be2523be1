/**
 * The command line. Only the commands and flags are here. The code of a command is loaded when it
 * is run, so that the help appears at once. Exit status: 0 clean, 1 failed, 2 an error in the usage
 * or the configuration.
 */
import { setFlagsFromString } from 'node:v8';
import { Command, Option } from 'commander';
import { BUILD, describeBuild } from '../shared/build.ts';
import { addAdmin } from './admin/commands.ts';
import { lazily, runCommandLine } from './command-line.ts';

// The flag by which `bin/penstock` bounds the young generation of this thread would also replace the
// bounds that other threads have.
setFlagsFromString('--max-semi-space-size=0');
// Otherwise V8 may decide, from a burst of requests, to put what requests allocate among the objects
// that live long (docs/decisions/0045-no-pretenuring.md).
setFlagsFromString('--no-allocation-site-pretenuring');
// V8 would let the old generation of the heap grow to four times what lives in it before it collects
// it (docs/decisions/0047-growth-of-the-heap.md).
setFlagsFromString('--heap-growing-percent=150');

const program = new Command('penstock')
  .description('Turns GPU hosts into a prepaid, metered, OpenAI-compatible inference service.')
  .version(describeBuild(BUILD))
  // Set before any command is added, because commands inherit it.
  .exitOverride()
  .showHelpAfterError('(run it with --help for more information)');

program
  .command('up')
  .description('run everything on one machine: router, agent, simulated engine, SQLite')
  .option('--port <N>', 'the port to listen on; 0 chooses free ports (default: 8080)')
  .option('--data <DIR>', 'the folder for its state (default: .penstock)')
  .option('--store <URL>', 'postgres://… instead of a SQLite file in the data folder')
  .option('--catalog <FILE>', 'the catalog of the models to serve (default: the shipped one)')
  .option('--engine <URL>', 'the URL of a real engine, instead of the simulated one')
  .option(
    '--settings <FILE>',
    'a file of router settings (see configs/router.yaml) that override the settings of `up`',
  )
  .option('--regions', 'serve three listeners (global, us and eu) with two simulated hosts each')
  .option(
    '--ready-file <FILE>',
    'write the addresses and the first keys to this file when the service is ready',
  )
  .action(lazily(async () => (await import('./up.ts')).up));

program
  .command('router')
  .description('run one router')
  .option('--config <FILE>', 'the configuration file; see configs/router.yaml')
  .option('--port <N>', 'the port of the first listener, instead of the configured one')
  .option('--check', 'check the configuration and the files that it names, and exit')
  .addOption(new Option('--first-run <DIR>', 'for `penstock up`: its data folder').hideHelp())
  .addOption(new Option('--enrol-hosts', 'for `penstock up --regions`').hideHelp())
  .addOption(new Option('--ports <LIST>', 'for a router of several processes').hideHelp())
  .action(lazily(async () => (await import('./router.ts')).router));

program
  .command('agent')
  .description('run one agent beside an engine')
  .option('--config <FILE>', 'the configuration file; see configs/agent.yaml')
  .option('--check', 'check the configuration and the files that it names, and exit')
  .action(lazily(async () => (await import('./agent.ts')).agent));

program
  .command('host', { hidden: true })
  .option('--config <FILE>', 'the configuration file that `penstock up --regions` writes')
  .action(lazily(async () => (await import('./host.ts')).host));

program
  .command('sim')
  .description('run the simulated engine; PUT /sim/faults switches faults on')
  .option('--port <N>', 'the port to listen on; 0 chooses a free one (default: 9000)')
  .option('--model <NAME...>', 'the models to serve (default: the whole catalog)')
  .option('--catalog <FILE>', 'the catalog whose models it serves (default: the shipped one)')
  .option('--dialect <NAME>', 'the engine to simulate: vllm, sglang or llamacpp (default: vllm)')
  .option('--token-ms <MS>', 'the time of a decode step (default: 10)')
  .option('--prefill-us <US>', 'the prefill time for each prompt token (default: 50)')
  .option('--kv-blocks <N>', 'the size of the KV cache, in blocks of 16 tokens')
  .option('--max-running <N>', 'the most requests that run at once')
  .option('--max-queued <N>', 'the most requests that wait; further requests get a 503')
  .option(
    '--tokens-per-chunk <N>',
    'the tokens of each chunk, as with speculative decoding (default: 1)',
  )
  .option('--seed <N>', 'the seed of the generated texts (default: 0)')
  .option('--no-prompt-tokens-details', 'vLLM: report no cached tokens in the usage')
  .option('--no-tool-call-parser', 'vLLM: refuse tools, as without a parser for their calls')
  .option('--no-reasoning-parser', 'vLLM: write reasoning as part of the text')
  .option('--vllm-like', 'vLLM: have no /version and ignore salts, as servers that resemble it')
  .option('--kv-events-endpoint <URL>', 'publish KV events as vLLM does, at tcp://127.0.0.1:PORT')
  .option(
    '--kv-events-form <FORM>',
    'the format of KV events: map, or array as in older vLLM (default: map)',
  )
  .option(
    '--kv-replay-endpoint <URL>',
    'repeat KV events that were missed, at tcp://127.0.0.1:PORT',
  )
  .option('--kv-events-lose-every <N>', 'do not publish every Nth batch of KV events')
  .option('--enable-cache-report', 'SGLang: report cached tokens in the usage')
  .option('--divide-kv', 'llama.cpp: give each slot a part of the KV cache, as with --parallel')
  .option('--no-metrics', 'SGLang or llama.cpp: serve no metrics page')
  .option('--load-seconds <S>', 'how many seconds the model takes to load (default: 0)')
  .option('--poison <TEXT>', 'a prompt that contains this text kills the process')
  .action(lazily(async () => (await import('./sim.ts')).sim));

program
  .command('bench')
  .description('load-test an OpenAI-compatible URL, or a service that the command starts itself')
  .option('--url <BASE>', 'the base URL, ending in /v1 (default: a private service is started)')
  .option('--key <KEY>', 'the API key for --url')
  .option('--metrics-url <URL>', "the URL of the router's metrics, for its CPU time and latencies")
  .option('--store <URL>', 'the store of the private service: postgres://… instead of SQLite')
  .option('--model <ID>', 'the model to send requests to')
  .option(
    '--trace <FILE>',
    'a trace of arrivals and lengths: Mooncake JSON lines or Azure CSV, gzip or not',
  )
  .option('--speed <N>', 'how many times faster than the trace (default: 10)')
  .option('--requests <N>', 'the number of requests (default: the whole trace, or 500)')
  .option('--per-second <N>', 'arrivals per second, without a trace (default: 20)')
  .option('--prompt-tokens <N>', 'prompt tokens per request, without a trace (default: 1000)')
  .option(
    '--completion-tokens <N>',
    'completion tokens per request, without a trace (default: 200)',
  )
  .option('--concurrency <N>', 'the most requests at once (default: 1000)')
  .option('--json', 'print the report as JSON')
  .action(lazily(async () => (await import('./bench.ts')).bench));

const DATA = ['--data <DIR>', 'the data folder of `penstock up` (default: .penstock)'] as const;

program
  .command('doctor')
  .description('examine the surroundings of a router or an agent, and change nothing')
  .option('--config <FILE>', 'the configuration file of a router or an agent')
  .option('--agent', 'the file is that of an agent (default: if it has engines)')
  .option('--catalog <FILE>', 'agent: the catalog to compare with the models of its engines')
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./doctor/doctor.ts')).doctor));

program
  .command('ledger')
  .description('check the ledger')
  .command('verify')
  .description('derive every balance again; the exit status is 1 on any difference')
  .option(...DATA)
  .option('--store <URL>', 'sqlite:PATH or postgres://…')
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./ledger.ts')).ledgerVerify));

program
  .command('backup')
  .description('copy a store on SQLite to a new file and verify the copy, also while routers run')
  .option(...DATA)
  .option('--store <URL>', 'sqlite:PATH')
  .option('--to <FILE>', 'the new file')
  .option('--no-verify', 'check only that the file is sound, and derive no balances')
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./backup.ts')).backup));

program
  .command('restore')
  .description('put a backup in the place of a store on SQLite; only while no router runs')
  .option('--from <FILE>', 'the backup')
  .option(...DATA)
  .option('--store <URL>', 'sqlite:PATH')
  .option('--replace', 'replace a store that exists, and keep it under another name')
  .option('--no-verify', 'check only that the file is sound, and derive no balances')
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./backup.ts')).restore));

program
  .command('top')
  .description('show the fleet live; needs PENSTOCK_OPERATOR_TOKEN')
  .option('--url <ORIGIN>', 'the origin of the router (default: http://127.0.0.1:8080)')
  .option('--once', 'print one table and exit, as it does without a terminal')
  .option('--json', 'print the table as JSON')
  .action(lazily(async () => (await import('./top/top.ts')).top));

program
  .command('fleet')
  .description('manage the settings that all routers of a store share')
  .command('settings')
  .description('compare a configuration and its secrets with those of the fleet')
  .option('--config <FILE>', 'the configuration file of a router')
  .option(
    '--accept',
    'make these the settings of the fleet: routers with other settings do not start any more. Stop all routers ' +
      'before you change holdTtlMs or cacheSalt',
  )
  .action(lazily(async () => (await import('./fleet.ts')).fleetSettings));

const STORE = ['--store <URL>', 'sqlite:PATH or postgres://…'] as const;
const SECRETS = ['--secrets <FILE>', "the secrets file of the store's routers"] as const;
const OPERATOR = ['--email <ADDRESS>', "the operator's email address"] as const;
const operator = program
  .command('operator')
  .description('manage operators in the store itself; with SQLite only while no router runs');
operator
  .command('create')
  .description('create an operator; the password and the token are shown only once')
  .option(...STORE)
  .option(...SECRETS)
  .option(...OPERATOR)
  .option('--name <TEXT>', "the operator's name")
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./operator.ts')).create));
operator
  .command('list')
  .description('list the operators')
  .option(...STORE)
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./operator.ts')).list));
operator
  .command('revoke')
  .description('revoke the operator role of a person; the last administrator cannot be revoked')
  .option(...STORE)
  .option(...SECRETS)
  .option(...OPERATOR)
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./operator.ts')).revoke));
operator
  .command('rotate-token')
  .description("replace an operator's token; the new one is shown only once")
  .option(...STORE)
  .option(...SECRETS)
  .option(...OPERATOR)
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./operator.ts')).rotateToken));

const secrets = program.command('secrets').description('manage the secrets of an installation');
secrets
  .command('rotate-pepper')
  .description('add a new pepper to the secrets file; docs/secrets.md describes the next steps')
  .option(...SECRETS)
  .action(lazily(async () => (await import('./secrets.ts')).rotatePepper));
secrets
  .command('status')
  .description('count the keys, tokens and second factors that still depend on each pepper')
  .option(...STORE)
  .option(...SECRETS)
  .option('--json', 'print JSON')
  .action(lazily(async () => (await import('./secrets.ts')).status));

addAdmin(program);

await runCommandLine(program);
