/** Highlights code. This file and its grammars are loaded when the first code is shown. */
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  php,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
});

type Tree = ReturnType<typeof lowlight.highlight>;
type Piece = Tree['children'][number];

/** Returns the nodes of highlighted code; null for a language that is not known. */
export function highlight(language: string, code: string): DocumentFragment | null {
  if (!lowlight.registered(language)) return null;
  const fragment = document.createDocumentFragment();
  append(fragment, lowlight.highlight(language, code).children);
  return fragment;
}

function append(parent: ParentNode, pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    if (piece.type === 'text') parent.append(piece.value);
    else if (piece.type === 'element') {
      const span = document.createElement('span');
      const names = piece.properties['className'];
      if (Array.isArray(names)) span.className = names.join(' ');
      append(span, piece.children);
      parent.append(span);
    }
  }
}
