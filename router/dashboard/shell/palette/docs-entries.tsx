/** The pages of the documentation and their headings. */
import { useNavigate } from '@tanstack/react-router';
import { BookOpen, Hash } from 'lucide-react';
import { SECTIONS } from 'virtual:inference-docs';
import type { EntryGroup } from './entry.ts';
import { statusWords } from './status-words.ts';

const PAGES = SECTIONS.flatMap(({ pages }) => pages);

export function useDocsGroup(): EntryGroup {
  const navigate = useNavigate();
  const pages = PAGES.map(({ name, title, about }) => ({
    key: `docs ${name}`,
    icon: <BookOpen />,
    name: title,
    note: 'Docs',
    about,
    open: () => navigate({ to: '/docs/$page', params: { page: name } }),
  }));
  const headings = PAGES.flatMap(({ name, title, headings: all }) =>
    all.map(({ id, title: heading }) => ({
      key: `docs ${name}#${id}`,
      icon: <Hash />,
      name: heading,
      note: title,
      words: statusWords(heading),
      open: () => navigate({ to: '/docs/$page', params: { page: name }, hash: id }),
    })),
  );
  return { title: 'Docs', entries: [...pages, ...headings] };
}
