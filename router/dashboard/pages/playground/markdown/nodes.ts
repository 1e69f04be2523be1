/**
 * The tree of a piece of Markdown, as it is shown. Answers are hostile input: this closed set of
 * nodes has no HTML, no images, and no links but those to http and https.
 */
import type { Token } from './parser.ts';

/** Elements with children and nothing else. */
const PLAIN = ['p', 'blockquote', 'ul', 'li', 'em', 'strong', 's', 'tr', 'thead', 'tbody'] as const;
type Plain = (typeof PLAIN)[number];

export type Align = 'left' | 'center' | 'right';

export type Node = Readonly<
  | { kind: 'text'; text: string }
  | { kind: 'plain'; name: Plain; children: readonly Node[] }
  | { kind: 'heading'; level: number; children: readonly Node[] }
  | { kind: 'ordered'; start: number; children: readonly Node[] }
  | { kind: 'table'; children: readonly Node[] }
  | { kind: 'cell'; isHead: boolean; align: Align | null; children: readonly Node[] }
  /** `url` is an absolute address with http or https. */
  | { kind: 'link'; url: string; children: readonly Node[] }
  | { kind: 'code'; text: string }
  | { kind: 'block'; language: string; text: string }
  | { kind: 'formula'; source: string; display: boolean }
  | { kind: 'break' }
  | { kind: 'rule' }
>;

export function nodesOf(tokens: readonly Token[]): readonly Node[] {
  const root: Node[] = [];
  const open: { token: Token; children: Node[] }[] = [];
  for (const token of tokens) {
    const children = open.at(-1)?.children ?? root;
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === 0) children.push(...leavesOf(token));
    else {
      const closed = open.pop();
      if (closed)
        (open.at(-1)?.children ?? root).push(...branchesOf(closed.token, closed.children));
    }
  }
  return root;
}

/** Returns an element with its children, or its children alone where the element is not allowed. */
function branchesOf(token: Token, children: readonly Node[]): readonly Node[] {
  const { tag } = token;
  // The only paragraph of a list item without blank lines is hidden.
  if (token.hidden) return children;
  const name = PLAIN.find((one) => one === tag);
  if (name !== undefined) {
    return [{ kind: 'plain', name, children: name === 'li' ? ticked(children) : children }];
  }
  switch (tag) {
    case 'ol':
      return [{ kind: 'ordered', start: Number(token.attrGet('start') ?? 1), children }];
    case 'table':
      return [{ kind: 'table', children }];
    case 'th':
    case 'td':
      return [{ kind: 'cell', isHead: tag === 'th', align: alignOf(token), children }];
    case 'a': {
      const url = safeUrl(token.attrGet('href'));
      return url === null ? children : [{ kind: 'link', url, children }];
    }
    default: {
      const level = /^h([1-6])$/.exec(tag)?.[1];
      return level === undefined ? children : [{ kind: 'heading', level: Number(level), children }];
    }
  }
}

function leavesOf(token: Token): readonly Node[] {
  switch (token.type) {
    case 'inline':
      return nodesOf(token.children ?? []);
    case 'image':
      return imageOf(token);
    case 'code_inline':
      return [{ kind: 'code', text: token.content }];
    case 'fence':
    case 'code_block':
      return [{ kind: 'block', language: languageOf(token.info), text: token.content }];
    case 'math_inline':
      return [{ kind: 'formula', source: token.content, display: token.meta?.display === true }];
    case 'math_block':
      return [{ kind: 'formula', source: token.content, display: true }];
    case 'softbreak':
    case 'hardbreak':
      return [{ kind: 'break' }];
    case 'hr':
      return [{ kind: 'rule' }];
    default:
      return token.content === '' ? [] : [{ kind: 'text', text: token.content }];
  }
}

/** An image is never loaded. It becomes a link, which people may follow. */
function imageOf(token: Token): readonly Node[] {
  const text = token.content === '' ? 'Image' : `Image: ${token.content}`;
  const url = safeUrl(token.attrGet('src'));
  const children: readonly Node[] = [{ kind: 'text', text }];
  return url === null ? children : [{ kind: 'link', url, children }];
}

/** Returns an absolute address with http or https as it is, and null for any other. */
export function safeUrl(text: string | null): string | null {
  if (text === null || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { protocol } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? text : null;
}

function alignOf(token: Token): Align | null {
  const align = /text-align:(left|center|right)/.exec(token.attrGet('style') ?? '')?.[1];
  return (align as Align | undefined) ?? null;
}

/** The first word after the opening fence, such as "python". */
export function languageOf(info: string): string {
  return /^[\w#+.-]{1,32}/.exec(info.trim())?.[0].toLowerCase() ?? '';
}

const BOXES = { open: '☐', done: '☑' } as const;

/** Whether an item of a list begins with the box of a task. */
export function isTask([first]: readonly Node[]): boolean {
  if (first?.kind === 'plain' && first.name === 'p') return isTask(first.children);
  return first?.kind === 'text' && Object.values(BOXES).some((box) => first.text.startsWith(box));
}

/** Replaces the brackets of a task by a box. */
function ticked(children: readonly Node[]): readonly Node[] {
  const [first, ...rest] = children;
  if (first?.kind === 'plain' && first.name === 'p') {
    return [{ ...first, children: ticked(first.children) }, ...rest];
  }
  const box = first?.kind === 'text' ? /^\[([ xX])\]\s/.exec(first.text) : null;
  if (first?.kind !== 'text' || box === null) return children;
  return [
    { kind: 'text', text: `${BOXES[box[1] === ' ' ? 'open' : 'done']} ${first.text.slice(4)}` },
    ...rest,
  ];
}
