/** The headings of an article, of which the one that is read is marked. */
import type { DocsHeading } from './contents.ts';
import { useCurrent } from './use-current.ts';

export function OnThisPage({ headings }: { headings: readonly DocsHeading[] }) {
  const current = useCurrent(headings.map(({ id }) => id));
  return (
    <nav aria-label="On this page">
      <p className="mb-2 text-xs font-medium text-muted">On this page</p>
      <ul className="border-l">
        {headings.map(({ id, title, level }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? 'location' : undefined}
              className={`-ml-px block border-l border-transparent py-1 text-xs wrap-anywhere text-muted hover:text-ink aria-[current=location]:border-accent aria-[current=location]:text-ink ${level === 3 ? 'pl-6' : 'pl-3'}`}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
