/**
 * Parses YAML. Errors say what is wrong and where, and quote nothing of the text, because the URL
 * of a store may contain a password, and an agent's configuration a token.
 */
import { type Document, type ErrorCode, LineCounter, parseDocument, visit } from 'yaml';

/** The messages of the parser quote names, so each kind of error has a text of our own. */
const TEXTS: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias has an anchor or a tag of its own',
  BAD_ALIAS: 'an alias or an anchor has no valid name',
  BAD_COLLECTION_TYPE: 'a tag does not fit its value',
  BAD_DIRECTIVE: 'a directive is not known',
  BAD_DQ_ESCAPE: 'a text in double quotes has an invalid escape sequence',
  BAD_INDENT: 'the indentation does not fit',
  BAD_PROP_ORDER: 'an anchor or a tag is before the indicator that it must follow',
  BAD_SCALAR_START: 'a text begins with a reserved character and must be quoted',
  BLOCK_AS_IMPLICIT_KEY: 'a line has a second key: a text with a colon and a space must be quoted',
  BLOCK_IN_FLOW: 'a block is inside brackets or braces',
  DUPLICATE_KEY: 'a key is given twice',
  IMPOSSIBLE: 'the text cannot be parsed',
  KEY_OVER_1024_CHARS: 'a key is too long',
  MISSING_CHAR: 'a character is missing, for example a quote, a comma, a colon or a space',
  MULTILINE_IMPLICIT_KEY: 'a key, or a line without a colon, goes on in the next line',
  MULTIPLE_ANCHORS: 'a value has two anchors',
  MULTIPLE_DOCS: 'the file has more than one document',
  MULTIPLE_TAGS: 'a value has two tags',
  NON_STRING_KEY: 'a key is not a text',
  RESOURCE_EXHAUSTION: 'the text is nested too deeply',
  TAB_AS_INDENT: 'a tab is used as indentation',
  TAG_RESOLVE_FAILED: 'a tag is not known',
  UNEXPECTED_TOKEN: 'a character is not expected here',
};

/** One fault often causes others, which are of no help. */
const FAULTS_MAX = 8;

/** Returns the value. Throws an Error that lists faults with their lines and columns. */
export function parseYaml(text: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines });
  const faults = [...document.errors, ...document.warnings].map(({ code, pos: [at] }) => ({
    at,
    what: TEXTS[code],
  }));
  if (faults.length === 0) faults.push(...aliasesWithoutAnchor(document));
  if (faults.length === 0) return valueOf(document);
  const texts = faults.map(({ at, what }) => {
    const { line, col } = lines.linePos(at);
    return `line ${line}, column ${col}: ${what}`;
  });
  throw new Error([...new Set(texts)].slice(0, FAULTS_MAX).join('\n'));
}

function aliasesWithoutAnchor(document: Document.Parsed): { at: number; what: string }[] {
  const found: { at: number; what: string }[] = [];
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document)) return;
      found.push({ at: alias.range?.[0] ?? 0, what: 'an alias has no anchor before it' });
    },
  });
  return found;
}

function valueOf(document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch {
    throw new Error('the aliases repeat too many values');
  }
}
