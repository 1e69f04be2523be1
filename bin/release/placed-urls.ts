/**
 * A plugin of the bundler for files that the code names by URL: `new URL('./worker.ts',
 * import.meta.url)`, and `import.meta.resolve` of a file in a package. In the bundle such a file has
 * the path that it has in the source, with `.js` in place of `.ts`. The plugin makes an entry of each
 * module that is named so, and reports the other files, which have to be copied.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'rolldown';

/** Files to copy: the path in the bundle, and the file or folder from which it is copied. */
export type Copied = Map<string, string>;

const BY_URL = /new URL\(\s*'(\.[^']*)',\s*import\.meta\.url,?\s*\)/g;
const BY_PACKAGE = /import\.meta\.resolve\(\s*'([^']+)',?\s*\)/g;
/** Until it is known which file of the bundle has the code, the path is relative to the root. */
const PLACED = /(["'`])placed:([^"'`]*)\1/g;

export function placedUrls(root: string, copied: Copied): Plugin {
  return {
    name: 'penstock-placed-urls',
    transform(code, id) {
      if (!id.startsWith(root) || id.includes('/node_modules/')) return null;
      const emit = (file: string): string => {
        const path = relative(root, file).replace(/\.ts$/, '.js');
        this.emitFile({ type: 'chunk', id: file, fileName: path, preserveSignature: 'strict' });
        return path;
      };
      const place = (named: string): string => {
        const file = resolve(dirname(id), named);
        if (!existsSync(file)) this.error(`${id} names ${named}, which does not exist`);
        if (file.endsWith('.ts')) return emit(file);
        const path = relative(root, file);
        if (!isFolderOfModules(file)) {
          copied.set(path, file);
          return path;
        }
        for (const module of readdirSync(file)) emit(join(file, module));
        return `${path}/`;
      };
      const changed = code
        .replace(BY_URL, (_, named) => `new URL('placed:${place(named)}', import.meta.url)`)
        .replace(BY_PACKAGE, (_, named) => {
          const path = `assets/${basename(named)}`;
          copied.set(path, fileURLToPath(import.meta.resolve(named)));
          return `new URL('placed:${path}', import.meta.url).href`;
        });
      return changed === code ? null : { code: changed };
    },
    renderChunk(code, { fileName }) {
      return code.replace(PLACED, (_, quote, path) => {
        const from = posix.relative(dirname(fileName), path);
        const folder = path.endsWith('/') ? '/' : '';
        return `${quote}${from.startsWith('.') ? from : `./${from}`}${folder}${quote}`;
      });
    },
  };
}

function isFolderOfModules(path: string): boolean {
  return statSync(path).isDirectory() && readdirSync(path).every((name) => name.endsWith('.ts'));
}
