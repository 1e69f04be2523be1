/** Whether files can be made and written to, found out without making any. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemFault } from './system-fault.ts';

const ABSENT = new Set(['ENOENT', 'ENOTDIR']);

/** Returns why no file can be made in this folder; null if one can. */
export async function folderFault(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`;
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return `${folder} cannot be written to: ${systemFault(error)}`;
  }
}

/** The same for a folder that is made first, with the folders above it, if it is absent. */
export async function newFolderFault(folder: string): Promise<string | null> {
  let nearest = resolve(folder);
  while (nearest !== dirname(nearest) && (await isAbsent(nearest))) nearest = dirname(nearest);
  const fault = await folderFault(nearest);
  if (fault === null || nearest === resolve(folder)) return fault;
  return `${folder} cannot be made: ${fault}`;
}

/** Returns why a file cannot be read and written to; null if it can, or is absent. */
export async function fileFault(file: string): Promise<string | null> {
  try {
    await access(file, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    return `${file} cannot be written to: ${systemFault(error)}`;
  }
}

async function isAbsent(path: string): Promise<boolean> {
  try {
    await stat(path);
    return false;
  } catch (error) {
    return ABSENT.has((error as NodeJS.ErrnoException).code ?? '');
  }
}
