/** The licences of npm packages whose code is in a bundle. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const LICENCE = /^(?:licen[cs]e|copying|notice)/i;

/** Returns the name, version and licence of each package, with the text that it ships. */
export async function noticesOf(folders: ReadonlySet<string>): Promise<string> {
  const notices = await Promise.all([...folders].toSorted().map(noticeOf));
  return `Penstock contains code of the following packages.\n\n${notices.join('\n')}`;
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as { name: string; version: string; license?: string };
  const files = (await readdir(folder)).filter((file) => LICENCE.test(file)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return [`---- ${name} ${version}: ${license ?? 'see below'}`, ...texts, ''].join('\n');
}
