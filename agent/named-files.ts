/** Opens the files that a configuration names, as a start would, and changes none of them. */
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { faultOf, systemFault } from '../shared/system-fault.ts';
import { fileFault, folderFault, newFolderFault } from '../shared/writable.ts';
import type { AgentConfig, EngineConfig } from './config.ts';
import { readIdentity } from './identity.ts';
import { loadTrust } from './trust.ts';

/**
 * Returns what would keep the agent or one of its engines from starting, one text for each fault. A
 * text names the setting and the file, and quotes nothing of the file.
 */
export async function fileFaults({ data, routers, engines }: AgentConfig): Promise<string[]> {
  const checks = [
    dataFault(data),
    ...routers.map((router) => faultOf(loadTrust(router))),
    ...engines.flatMap((engine) => [outputFault(engine), workingFolderFault(engine)]),
  ];
  return (await Promise.all(checks)).filter((fault) => fault !== null);
}

async function dataFault(folder: string): Promise<string | null> {
  const fault = (await newFolderFault(folder)) ?? (await faultOf(readIdentity(folder)));
  return fault && `data: ${fault}`;
}

async function outputFault({ name, output }: EngineConfig): Promise<string | null> {
  if (output === undefined) return null;
  const fault = (await folderFault(dirname(output))) ?? (await fileFault(output));
  return fault && `engines: ${name}: output: ${fault}`;
}

async function workingFolderFault({ name, cwd }: EngineConfig): Promise<string | null> {
  if (cwd === undefined) return null;
  try {
    await access(`${cwd}/.`, constants.X_OK);
    return null;
  } catch (error) {
    return `engines: ${name}: cwd: ${cwd} cannot be entered: ${systemFault(error)}`;
  }
}
