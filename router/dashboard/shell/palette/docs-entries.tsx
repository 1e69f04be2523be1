/** The pages of the documentation and their headings. */
import { useNavigate } from '@tanstack/react-router';
import { BookOpen, Hash } from 'lucide-react';
import { HEADINGS } from 'virtual:inference-docs-headings';
import type { EntryGroup } from './entry.ts';

export function useDocsGroup(): EntryGroup {
  const navigate = useNavigate();
  const pages = HEADINGS.map(({ name, title }) => ({
    key: `docs ${name}`,
    icon: <BookOpen />,
    name: title,
    note: 'Docs',
    open: () => navigate({ to: '/docs/$page', params: { page: name } }),
  }));
  const headings = HEADINGS.flatMap(({ name, title, headings: all }) =>
    all.map(({ id, text }) => ({
      key: `docs ${name}#${id}`,
      icon: <Hash />,
      name: text,
      note: title,
      open: () => navigate({ to: '/docs/$page', params: { page: name }, hash: id }),
    })),
  );
  return { title: 'Docs', entries: [...pages, ...headings] };
}
