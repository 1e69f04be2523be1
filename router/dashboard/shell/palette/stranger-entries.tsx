/** What the palette finds for strangers: the public pages, the models and the documentation. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Activity, BookOpen, Boxes, Braces, House, LogIn, UserPlus } from 'lucide-react';
import { areModelsPublic, publicModelsQuery } from '../../api/public-figures.ts';
import { modelParams } from '../../pages/catalog/model-params.ts';
import { useDisplayActions } from './action-entries.tsx';
import { useDocsGroup } from './docs-entries.tsx';
import type { Entry, EntryGroup } from './entry.ts';

export function useStrangerGroups(): readonly EntryGroup[] {
  const navigate = useNavigate();
  const isPublic = areModelsPublic();
  const models = useQuery({ ...publicModelsQuery, enabled: isPublic }).data?.data ?? [];
  const page = (name: string, icon: Entry['icon'], to: string): Entry => ({
    key: `page ${name.toLowerCase().replaceAll(' ', '-')}`,
    icon,
    name,
    open: () => navigate({ to } as never),
  });
  return [
    {
      title: 'Pages',
      entries: [
        page('Home', <House />, '/'),
        ...(isPublic
          ? [page('Models', <Boxes />, '/catalog'), page('Status', <Activity />, '/status')]
          : []),
        page('Docs', <BookOpen />, '/docs'),
        page('Management API', <Braces />, '/docs/api'),
        page('Sign in', <LogIn />, '/sign-in'),
        page('Sign up', <UserPlus />, '/sign-up'),
      ],
    },
    {
      title: 'Models',
      entries: models.map(({ id, name }) => ({
        key: id,
        icon: <Boxes />,
        name,
        note: id,
        words: [id],
        open: () => navigate({ to: '/catalog/$namespace/$name', params: modelParams(id) }),
      })),
    },
    useDocsGroup(),
    { title: 'Actions', entries: useDisplayActions() },
  ];
}
