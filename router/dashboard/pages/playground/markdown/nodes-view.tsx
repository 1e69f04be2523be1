/**
 * Shows the nodes of Markdown as elements. It calls functions, and has few components, because a
 * long answer has tens of thousands of nodes, and React keeps each component in memory.
 */
import type { ReactNode } from 'react';
import { Code } from '../../../parts/shown.tsx';
import { CodeView } from './code-view.tsx';
import { FormulaView } from './formula-view.tsx';
import { isTask, type Node } from './nodes.ts';

/** Text is only added at the end, so that its index identifies a node. */
export function shownNodes(nodes: readonly Node[]): ReactNode {
  const [first] = nodes;
  return nodes.length === 1 && first?.kind === 'text' ? first.text : nodes.map(shownNode);
}

function shownNode(node: Node, key: number): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'plain':
      return plain(node, key);
    case 'heading':
      return heading(node, key);
    case 'ordered':
      return (
        <ol
          key={key}
          start={node.start}
          className="list-decimal pl-6 marker:text-muted [&>li+li]:mt-1"
        >
          {shownNodes(node.children)}
        </ol>
      );
    case 'table':
      return (
        <div
          key={key}
          role="region"
          aria-label="Table"
          tabIndex={0}
          className="overflow-x-auto rounded-lg border"
        >
          <table className="w-full border-collapse">{shownNodes(node.children)}</table>
        </div>
      );
    case 'cell':
      return cell(node, key);
    case 'link':
      return (
        <a
          key={key}
          href={node.url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          title={node.url}
          className="break-words text-accent underline underline-offset-2"
        >
          {shownNodes(node.children)}
        </a>
      );
    case 'code':
      return <Code key={key}>{node.text}</Code>;
    case 'block':
      return <CodeView key={key} language={node.language} text={node.text} />;
    case 'formula':
      return <FormulaView key={key} source={node.source} display={node.display} />;
    case 'break':
      return <br key={key} />;
    case 'rule':
      return <hr key={key} className="border-line-strong" />;
  }
}

type Of<Kind extends Node['kind']> = Extract<Node, { kind: Kind }>;

const CLASSES: Readonly<Partial<Record<Of<'plain'>['name'], string>>> = {
  blockquote: 'border-l-2 border-line-strong pl-4 text-muted [&>*+*]:mt-3',
  ul: 'list-disc pl-6 marker:text-muted [&>li+li]:mt-1',
  li: '[&>*+*]:mt-2 [&>ol]:mt-1 [&>ul]:mt-1',
  strong: 'font-semibold',
  tr: 'not-last:border-b',
  thead: 'border-b bg-sunken',
};

/** The box of a task stands in place of the mark of its item. */
const TASK = `${CLASSES.li} -ml-4.5 list-none`;

function plain({ name: Element, children }: Of<'plain'>, key: number): ReactNode {
  return (
    <Element key={key} className={Element === 'li' && isTask(children) ? TASK : CLASSES[Element]}>
      {shownNodes(children)}
    </Element>
  );
}

/** The headings of an answer are below those of the page. */
function heading({ level, children }: Of<'heading'>, key: number): ReactNode {
  const Element = `h${Math.min(6, level + 2)}` as 'h3';
  const size = level === 1 ? 'text-lg' : level === 2 ? 'text-base' : 'text-sm';
  return (
    <Element key={key} className={`pt-1 font-semibold ${size}`}>
      {shownNodes(children)}
    </Element>
  );
}

const ALIGNED = { left: 'text-left', center: 'text-center', right: 'text-right' } as const;

function cell({ isHead, align, children }: Of<'cell'>, key: number): ReactNode {
  const Element = isHead ? 'th' : 'td';
  const weight = isHead ? 'font-medium' : '';
  return (
    <Element key={key} className={`px-3 py-1.5 align-top ${ALIGNED[align ?? 'left']} ${weight}`}>
      {shownNodes(children)}
    </Element>
  );
}
