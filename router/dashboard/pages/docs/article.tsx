/** One page of `docs/inference/`. The code of each is loaded when it is opened. */
import { Link } from '@tanstack/react-router';
import { type ComponentProps, type ComponentType, lazy } from 'react';
import { ANCHORED } from './anchored.tsx';
import { ScrollToHash } from './scroll-to-hash.tsx';
import { Filled, Snippet, Snippets } from './snippets.tsx';

type Content = ComponentType<{ components: object }>;

const FILES = import.meta.glob<{ default: Content }>('../../../../docs/inference/*.md');

const CONTENTS: ReadonlyMap<string, Content> = new Map(
  Object.entries(FILES).map(([path, load]) => [/([a-z-]+)\.md$/.exec(path)?.[1] ?? '', lazy(load)]),
);

const COMPONENTS = {
  ...ANCHORED,
  snippets: Snippets,
  snippet: Snippet,
  filled: Filled,
  a: PageLink,
};

export function Article({ name }: { name: string }) {
  const Body = CONTENTS.get(name);
  if (!Body) return null;
  return (
    <article className="docs min-w-0">
      <Body components={COMPONENTS} />
      <ScrollToHash />
    </article>
  );
}

/** Pages link to each other by the names of their files. */
function PageLink({ href = '', children, ...rest }: ComponentProps<'a'>) {
  const [, page, hash] = /^([a-z-]+)\.md(?:#(.*))?$/.exec(href) ?? [];
  if (page === undefined) {
    return (
      <a href={href} {...rest}>
        {children}
      </a>
    );
  }
  return (
    <Link to="/docs/$page" params={{ page }} {...(hash === undefined ? {} : { hash })}>
      {children}
    </Link>
  );
}
