/** The command line of the agent as one file. It has the options of `penstock agent`. */
import './oldest-node.ts';
import './node-22.ts';
import { Command } from 'commander';
import { BUILD, describeBuild } from '../../shared/build.ts';
import { agent } from '../agent.ts';
import { runCommandLine } from '../command-line.ts';

void runCommandLine(
  new Command('penstock-agent')
    .description('Runs one agent of Penstock beside an engine.')
    .version(describeBuild(BUILD))
    .exitOverride()
    .showHelpAfterError('(run it with --help for more information)')
    .option('--config <FILE>', 'the configuration file; see configs/agent.yaml')
    .option('--check', 'check the configuration and the files that it names, and exit')
    .action(agent),
);
